import { expect, it } from "vitest";
import { runChild } from "../child.ts";
import { makeNight, PROGRAM } from "./night.ts";

/** From too few to start node with, to enough to start git with, whatever this node keeps open itself. */
const LIMITS = Array.from({ length: 16 }, (_, i) => 18 + 2 * i);
const UNSTARTED = "git could not be started: too many open files (EMFILE)";

it("a git that cannot be started says nothing about the repository", () => {
  const night = makeNight({ rows: [{ id: "1.1" }] });
  const said: string[] = [];
  for (const limit of LIMITS) {
    const limited = `ulimit -n ${limit}; exec "$@"`;
    // It is refused before it has a work tree; with enough files, by its budget.
    const argv = [process.execPath, PROGRAM, "run", "demo", "--agent", "demo", "--max-time", "1s"];
    const { root: cwd, env } = night;
    said.push(runChild("sh", ["-c", limited, "sh", ...argv], { cwd, env }).err);
    if (said.at(-1)?.includes(UNSTARTED) === true) break;
  }
  expect(said.join("")).not.toMatch(/no commit|internal error|Cannot read properties/);
  expect(said.at(-1)).toContain(UNSTARTED);
});
