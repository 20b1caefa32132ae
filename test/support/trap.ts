import { join } from "node:path";
import { fillFolder, makeFolder } from "../program/temporary.ts";

/**
 * Makes a folder what git takes for a bare repository. Its config names a program that git runs as soon as it looks at
 * the files there. Returns the file that shows that it ran.
 */
export function layTrap(folder: string): string {
  const marker = join(makeFolder(), "ran");
  fillFolder(folder, {
    HEAD: "ref: refs/heads/main\n",
    config: `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ${marker}"\n`,
    "objects/.keep": "",
    "refs/.keep": "",
  });
  return marker;
}

/** A command that makes a folder a repository, with a filter that runs when git looks at a file of it. */
export const plantRepository = (folder: string, mark: string): string =>
  [
    `cd ${folder} && git init -q . && git add -A`,
    "git -c user.name=a -c user.email=a@b commit -qm x",
    `git config filter.z.clean "touch '${mark}'; cat"`,
    "echo '* filter=z' > .git/info/attributes",
    "find . -name '*.md' -exec touch -d @1 {} +",
  ].join(" && ");
