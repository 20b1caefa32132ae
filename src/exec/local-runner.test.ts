import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { EXIT_0 } from "../tasks/verify/expectation.ts";
import { type Check, parseVerify } from "../tasks/verify/verify.ts";
import { localRunner } from "./local-runner.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "smart-ralph-verify-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const runCheck = (check: Check, timeoutMs = 10_000, signal = new AbortController().signal) =>
  localRunner.run(check, { root: folder, commit: "c0ffee", timeoutMs, signal });
const run = (command: string, timeoutMs?: number, signal?: AbortSignal) =>
  runCheck({ command, expects: EXIT_0 }, timeoutMs, signal);
/** A process that has ended writes nothing. Looking for its number would also find a zombie. */
const isWritten = async (name: string): Promise<boolean> => {
  await new Promise((resolve) => setTimeout(resolve, 1200));
  return existsSync(join(folder, name));
};

it("gives a command its time even if that is more than a timer can hold", async () => {
  expect(await run("sleep 0.3", 3_000_000_000)).toMatchObject({ outcome: "passed" });
});

it("reports what passed, where, and at which commit", async () => {
  expect(await run("pwd")).toMatchObject({
    command: "pwd",
    outcome: "passed",
    exitCode: 0,
    commit: "c0ffee",
    tail: folder,
  });
});

it.each([
  ["exit 3", "failed", 3],
  ["no-such-program-anywhere", "failed", 127],
  ["kill -9 $$", "failed", null],
])("reports what failed: %s", async (command, outcome, exitCode) => {
  expect(await run(command)).toMatchObject({ outcome, exitCode });
});

it("gives the shell the text as it is, quotes, variables and all", async () => {
  const command = `A='b "c"'; printf '%s|' "$A" '$(touch pwned)' "$((1 + 1))"`;
  expect((await run(command)).tail).toBe(`b "c"|$(touch pwned)|2|`);
});

it("keeps the end of a long output, of both streams", async () => {
  const { tail } = await run(
    "i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1)); done; echo last >&2",
  );
  expect(tail.length).toBeLessThan(2100);
  expect(tail).toContain("line 1999");
  expect(tail).toContain("last");
});

it("ends a command with its children at the timeout", async () => {
  const result = await run("(sleep 1; touch child) & echo waiting; wait", 400);
  expect(result).toMatchObject({ outcome: "timed-out", exitCode: null, tail: "waiting" });
  expect(await isWritten("child")).toBe(false);
});

it("ends a command with its children when the signal aborts, and reports nothing", async () => {
  const controller = new AbortController();
  const running = run("(sleep 1; touch aborted) & wait", 10_000, controller.signal);
  setTimeout(() => controller.abort(new Error("enough")), 300);
  await expect(running).rejects.toThrow("enough");
  expect(await isWritten("aborted")).toBe(false);
  await expect(run("touch aborted", 10_000, controller.signal)).rejects.toThrow("enough");
  expect(existsSync(join(folder, "aborted"))).toBe(false);
});

it("does not wait for what a command leaves in the background, and ends it", async () => {
  const result = await run("(sleep 1; touch left) & echo done");
  expect(result).toMatchObject({ outcome: "passed", tail: "done" });
  expect(await isWritten("left")).toBe(false);
});

it("gives no standard input to wait for", async () => {
  expect(await run("cat")).toMatchObject({ outcome: "passed", tail: "" });
});

it.each([
  ["`printf 'a\\nb\\n' | grep -c x` returns 0", "passed", undefined],
  ["`printf 'x\\n' | grep x` returns nothing", "failed", "it should print nothing, and printed"],
  ["`grep x no-such-file` returns nothing", "failed", "it should print nothing, but it ended"],
  ["`seq 3 | wc -l` returns 3", "passed", undefined],
  ["`seq 2 | wc -l` >= 3", "failed", "it should print"],
  ["`sh -c 'exit 3'` exits with 3", "passed", undefined],
  ["`test -f no-such-file` fails", "passed", undefined],
])("holds %s against what it prints", async (verify, outcome, why) => {
  const [check] = parseVerify(verify).checks;
  const ran = await runCheck(check as Check);
  expect(ran).toMatchObject({ outcome, expects: expect.any(String) });
  expect(ran.why ?? "").toContain(why ?? "");
});

it("reads all of a long output, not just its end", async () => {
  const [check] = parseVerify('`seq 20000` contains "17\\n"').checks;
  const first = { ...(check as Check), expects: { kind: "contains", text: "\n17\n" } } as const;
  expect(await runCheck(first)).toMatchObject({ outcome: "passed" });
});
