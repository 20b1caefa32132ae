import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Download, findAt, installOnce } from "../support/download.ts";

/** The versions of node that are tested, pinned here and nowhere else: the oldest that will do, and the newest of each line. */
export const NODES = ["20.0.0", "22.23.3", "24.21.0", "26.10.0"] as const;

/** A version's program, or why this platform cannot have it. */
export type Installed = { readonly program: string } | { readonly why: string };

/** The package `node` itself only picks one of these in a script, and scripts are not run here. */
const PACKAGE = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

const downloadOf = (version: string): Download => ({
  what: `Node ${version}`,
  folder: `node-${version}`,
  package: `${PACKAGE}@${version}`,
  find: findAt(PACKAGE, "bin", process.platform === "win32" ? "node.exe" : "node"),
});

/** What npm says of a package or a version that nobody has made; all else, say of the network, is a failure. */
const NOT_MADE = /\b(?:E404|ETARGET|EBADPLATFORM)\b/;

export async function installNode(version: string): Promise<Installed> {
  try {
    const program = await installOnce(downloadOf(version));
    const { stdout } = await promisify(execFile)(program, ["--version"]);
    return stdout.trim() === `v${version}`
      ? { program }
      : { why: `the package says that it is ${stdout.trim()}` };
  } catch (error) {
    const { stderr = "", code } = error as { stderr?: string; code?: unknown };
    if (NOT_MADE.test(stderr)) return { why: `npm has no ${PACKAGE}@${version}` };
    // Made for another C library: its loader is missing.
    if (code === "ENOENT") return { why: `${PACKAGE}@${version} does not run on this system` };
    throw error;
  }
}
