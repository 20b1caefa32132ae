import { orElse } from "../text/or-else.ts";
/** A source outside the project, as recorded in a file below `.index/external`. */
export interface ExternalSource {
  readonly name: string;
  readonly title: string;
  readonly url: string;
}

export function parseExternal(name: string, text: string): ExternalSource {
  const find = (pattern: RegExp): string => pattern.exec(text)?.[1]?.trim() ?? "";
  return {
    name,
    title: find(/^\uFEFF?#[ \t]+(\S.*)/m) || name.replace(/\.md$/, ""),
    url: find(/^source-id:[ \t]*(\S.*)/m),
  };
}

export type ExternalUrl =
  | { readonly kind: "ok"; readonly url: string }
  | { readonly kind: "refused"; readonly why: string };

/** Only what a reader could open, and nothing that should not be written down. */
export function parseUrl(text: string): ExternalUrl {
  const refuse = (why: string): ExternalUrl => ({ kind: "refused", why });
  if (!URL.canParse(text)) return refuse("is not a URL");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return refuse("is not an http or https URL");
  if (url.username !== "" || url.password !== "") return refuse("contains a user name or password");
  return { kind: "ok", url: url.href };
}

const MAX_SLUG = 60;

/** `url-docs-example-com-api` for `https://docs.example.com/api/`, as older versions name such files. */
export function slugOf(href: string): string {
  const { host, pathname, search } = new URL(href);
  const words = `${host.replace(/^www\./, "")}${decodePath(pathname)}${search}`
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return `url-${words.join("-").slice(0, MAX_SLUG).replace(/-$/, "")}`;
}

const decodePath = (text: string): string => orElse(() => decodeURIComponent(text), text);

/** The keys are those of older versions. Nothing has been fetched, and the file says so. */
export const formatExternal = (href: string, note: string, at: string): string => {
  const { host, pathname } = new URL(href);
  const title = `${host}${pathname === "/" ? "" : decodePath(pathname)}`.replace(/\s+/g, " ");
  return `---
type: external-spec
source-type: url
source-id: ${href}
recorded: ${at}
---

# ${title}

- **URL**: ${href}
- **Recorded**: ${at}; not fetched

## Notes
${note === "" ? "" : `\n- ${note}\n`}`;
};

/** Adds a note at the end. */
export const addNote = (text: string, note: string): string =>
  `${text.trimEnd()}${/\n## Notes\s*$/.test(text) ? "\n\n" : "\n"}- ${note}\n`;
