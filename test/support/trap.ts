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
