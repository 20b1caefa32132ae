import { dropNumber, numberIn } from "./name.ts";

/** GitHub refuses longer ones. */
const MAX_BYTES = 244;

/** What a template of Spec Kit's git extension is filled with, besides the name. */
export interface BranchFacts {
  readonly author: string;
  readonly app: string;
}

/**
 * The template that the settings of Spec Kit's git extension ask for; a prefix alone is one too. Undefined if they ask
 * for none, or for one that the extension refuses: a branch's last part begins with the number of its feature.
 */
export function branchTemplate(template: string, prefix: string): string | undefined {
  const asked =
    template !== "" || prefix === "" ? template : `${prefix.replace(/\/$/, "")}/{number}-{slug}`;
  const last = asked.slice(asked.lastIndexOf("/") + 1);
  const isBranch = /^[\w{][\w{}./-]*$/.test(asked) && last.startsWith("{number}-");
  const [, ...behind] = asked.split("{slug}");
  return isBranch && !behind.some((part) => part.includes("{number}")) ? asked : undefined;
}

/** The branch of a feature, `jdoe/web/003-login`; its last words are cut off if it is too long. */
export function renderBranch(template: string, name: string, facts: BranchFacts): string {
  const number = numberIn(name).slice(0, -1);
  let slug = dropNumber(name);
  for (;;) {
    const branch = fillTemplate(template, { ...cleanFacts(facts), number, slug });
    if (byteLength(branch) <= MAX_BYTES || slug === "") return branch;
    slug = [...slug].slice(0, -1).join("").replace(/-$/, "");
  }
}

/** What precedes the number: each such place has its own count. */
export const branchScope = (template: string, facts: BranchFacts): string =>
  fillTemplate(template.slice(0, template.indexOf("{number}")), { ...cleanFacts(facts), slug: "" });

const fillTemplate = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{(author|app|number|slug)\}/g, (all, name: string) => values[name] ?? all);

const cleanFacts = ({ author, app }: BranchFacts): BranchFacts => ({
  author: wordsOf(author) || "unknown",
  app: wordsOf(app) || "app",
});

const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

const byteLength = (text: string): number => new TextEncoder().encode(text).length;
