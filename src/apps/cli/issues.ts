import { isObject } from "../../text/schema.ts";

/** Where to report bugs: `bugs`, or else `repository`, of a package.json. */
export function issuesPage(manifest: Readonly<Record<string, unknown>>): string | undefined {
  const bugs = urlIn(manifest["bugs"]);
  if (bugs !== undefined && /^https:\/\/\S+$/.test(bugs)) return bugs;
  const repository = urlIn(manifest["repository"]);
  const home = repository === undefined ? undefined : homeOf(repository);
  return home === undefined ? undefined : `${home}/issues`;
}

const urlIn = (value: unknown): string | undefined => {
  const text = isObject(value) ? value["url"] : value;
  return typeof text === "string" ? text.trim() : undefined;
};

const HOSTS: Readonly<Record<string, string>> = {
  github: "https://github.com",
  gitlab: "https://gitlab.com",
  bitbucket: "https://bitbucket.org",
};

/** All the forms that npm accepts: `owner/name`, `gitlab:owner/name`, `git+ssh://git@host/owner/name.git`. */
function homeOf(repository: string): string | undefined {
  const [, host = "github", short] =
    /^(?:(github|gitlab|bitbucket):)?([\w.-]+\/[\w.-]+)$/.exec(repository) ?? [];
  if (short !== undefined) return `${HOSTS[host]}/${short}`;
  const [, domain, path] =
    /^(?:git\+)?(?:https?|ssh|git):\/\/(?:[\w.-]+@)?([\w.-]+)\/([\w./-]+)$/.exec(repository) ??
    /^[\w.-]+@([\w.-]+):([\w./-]+)$/.exec(repository) ??
    [];
  return path === undefined ? undefined : `https://${domain}/${path.replace(/\.git$/, "")}`;
}
