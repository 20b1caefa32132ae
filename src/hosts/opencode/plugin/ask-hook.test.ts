import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { hookCalls } from "./ask-hook.ts";

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "opencode-hook-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function hook(code: string, timeoutMs?: number) {
  const faults: string[] = [];
  const path = join(folder, "hook.cjs");
  writeFileSync(path, code);
  return { ...hookCalls(path, "specum", (why) => void faults.push(why), timeoutMs), faults };
}

const EVENT = { session: "s", cwd: "/p" };
const ECHO = `const [, , ...args] = process.argv; let text = "";
process.stdin.on("data", (chunk) => (text += chunk)).on("end", () =>
  console.log(JSON.stringify({ say: args.join(" "), context: text, deny: process.env.NODE_OPTIONS })));`;

it("hands the event over, without the options of a debugger", async () => {
  process.env["NODE_OPTIONS"] = "--no-warnings";
  const answer = await hook(ECHO).ask("stop", EVENT);
  delete process.env["NODE_OPTIONS"];
  expect(answer).toEqual({ say: "specum stop opencode", context: JSON.stringify(EVENT) });
});

it.each(["", "process.exit(1)", "console.log('no JSON')", "console.log('3')", "throw new Error()"])(
  "takes %j for no answer",
  async (code) => {
    expect(await hook(code).ask("stop", EVENT)).toEqual({});
  },
);

it("ends a hook that takes too long, and what an interrupted session left", async () => {
  const endless = "setInterval(() => {}, 1000)";
  expect(await hook(endless, 200).ask("stop", EVENT)).toEqual({});
  const calls = hook(endless);
  const asked = calls.ask("stop", EVENT);
  calls.end("other");
  calls.end("s");
  expect(await asked).toEqual({});
});

it("says what is missing", async () => {
  const path = process.env["PATH"];
  process.env["PATH"] = folder;
  const calls = hook(ECHO);
  process.env["PATH"] = path;
  expect(await calls.ask("stop", EVENT)).toEqual({});
  expect(calls.faults).toEqual(["node is not on PATH"]);
});
