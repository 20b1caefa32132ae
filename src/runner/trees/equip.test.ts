import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AT, makeGround } from "../../../test/support/trees.ts";
import type { VerifyRunner } from "../../exec/local-runner.ts";
import { equip } from "./equip.ts";
import { openTrunk } from "./open-trunk.ts";
import { openTaskTree } from "./task-tree.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const signal = () => new AbortController().signal;
const answer = (more: object) => ({
  command: "",
  outcome: "passed",
  exitCode: 0,
  tail: "added 3 packages",
  ...more,
});
const verifierThat = (more: object) => {
  const run = vi.fn(async () => answer(more));
  return { run, verifier: { run } as unknown as VerifyRunner };
};

const SHARED = { setup: undefined, share: [] };

describe("equip", () => {
  it("runs the user's setup in the tree, and keeps what it printed", async () => {
    const trunk = openTrunk(makeGround().home, AT);
    const { verifier, run } = verifierThat({});
    const done = await equip({ verifier, signal }, trunk, { setup: "npm ci", share: [] });
    expect(done).toEqual({ shared: [], output: "added 3 packages" });
    expect(run).toHaveBeenCalledWith(
      expect.objectContaining({ command: "npm ci" }),
      expect.objectContaining({ root: trunk.project.root, commit: trunk.base }),
    );
    const failing = verifierThat({ outcome: "failed", exitCode: 7, tail: "no network" });
    expect(await equip({ ...failing, signal }, trunk, { setup: "npm ci", share: [] })).toEqual({
      shared: [],
      output: "no network",
      failed: "the setup `npm ci` failed, exit code 7",
    });
  });

  it("shares what is installed: the trunk with the user's tree, a task's tree with the trunk", async () => {
    const ground = makeGround({ ".gitignore": "node_modules\n" });
    ground.repository.write({ "node_modules/a/index.js": "a" });
    const trunk = openTrunk(ground.home, AT);
    const { verifier, run } = verifierThat({});
    await equip({ verifier, signal }, trunk, SHARED);
    ground.repository.write({ "node_modules/b/index.js": "only in the user's tree" });
    const tree = openTaskTree(trunk, "1.1", 1);
    expect(await equip({ verifier, signal }, tree, SHARED)).toMatchObject({
      shared: [{ name: "node_modules" }],
    });
    expect(readFileSync(join(tree.top, "node_modules/a/index.js"), "utf8")).toBe("a");
    expect(() => readFileSync(join(tree.top, "node_modules/b/index.js"))).toThrow("ENOENT");
    expect(run).not.toHaveBeenCalled();
  });
});
