import { expect, it } from "vitest";
import { runChild } from "../child.ts";
import { makeNight, PROGRAM } from "./night.ts";

it.each([
  ["beside a real agent", ["--agent", "demo,claude"], ""],
  ["after a real agent", ["--agent", "claude, DEMO"], ""],
  ["in a named spec", ["demo", "--agent", "demo"], ""],
  ["with a model, in a named spec", ["demo", "--agent", "demo:x"], ""],
  ["from the settings", [], "agents: [demo]"],
  ["from the settings, for one kind of work", ["demo", "--json"], "agent_execution: demo"],
])("the demo agent does not work in another project: %s", (_, args, settings) => {
  const night = makeNight({ rows: [{ id: "1.1" }], settings });
  const { SMART_RALPH_DEMO_SCENES: __, ...env } = night.env;
  const words = [PROGRAM, "run", ...args];
  const { code, err, out } = runChild(process.execPath, words, { cwd: night.root, env });
  expect(`${err}${out}`).toContain("the built-in agent knows only its own project");
  expect(code).toBe(2);
  expect(night.git("branch", "--list")).toBe("* main");
});
