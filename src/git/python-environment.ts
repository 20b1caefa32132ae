import { join } from "node:path";
import { faultIn, lstatOf, fileNamesIn, readText } from "../store/read.ts";
import { writeWhole } from "../store/write.ts";

const MAX_FILES = 2000;
const MAX_BYTES = 256 << 10;

/**
 * A Python environment stores absolute paths to its own folder and to "editable" sources. In a copy they have to point
 * to the copy, or a task would test, and install into, the user's own tree.
 */
export function repairEnvironment(
  folder: string,
  was: string,
  is: string,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  if (lstatOf(join(folder, "pyvenv.cfg")) === undefined) return;
  const files = [
    "pyvenv.cfg",
    ...fileNamesIn(join(folder, "bin")).map((name) => join("bin", name)),
    ...fileNamesIn(join(folder, "lib")).flatMap((python) =>
      editable(folder, join("lib", python, "site-packages")),
    ),
  ].slice(0, MAX_FILES);
  for (const name of files) {
    const path = join(folder, name);
    if (lstatOf(path)?.isFile() !== true) continue;
    const file = readText(path, MAX_BYTES);
    if (file.kind !== "ok" || file.encoding !== "utf8" || !file.text.includes(from)) continue;
    // Replaces the file instead of writing to it: it may be a hard link.
    faultIn(() => writeWhole(path, file.text.replaceAll(was, is).replaceAll(from, to)));
  }
}

function editable(folder: string, below: string): string[] {
  const names = fileNamesIn(join(folder, below));
  const links = names.filter((name) => /\.(?:pth|egg-link)$|^__editable__.*\.py$/.test(name));
  const urls = names
    .filter((name) => name.endsWith(".dist-info"))
    .map((name) => join(name, "direct_url.json"));
  return [...links, ...urls].map((name) => join(below, name));
}
