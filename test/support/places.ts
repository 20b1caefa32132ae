import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The variable that names the folder of this run; see `ground.ts`. */
export const GROUND = "TEST_GROUND";
/** Another one in memory, where there is such a thing. */
export const MEMORY = "TEST_MEMORY";
/** How the folder of a test file begins, and the home in it; see `home.ts`. */
export const FILE_FOLDER = "file-";
export const HOME = "home";

/** A folder for thousands of small files: on a disk they would take the most time of all. */
export const makeMemoryFolder = (): string =>
  realpathSync(mkdtempSync(join(process.env[MEMORY] ?? tmpdir(), "memory-")));
