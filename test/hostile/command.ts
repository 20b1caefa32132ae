import * as fc from "fast-check";
import { parseArguments } from "../../src/apps/cli/arguments.ts";
import { type Context, EXIT } from "../../src/apps/cli/command.ts";
import { loadCommands } from "../../src/apps/cli/commands.ts";
import { renderError, renderResult } from "../../src/apps/cli/output.ts";
import { localRunner } from "../../src/exec/local-runner.ts";
import { hosts } from "../../src/hosts/all.ts";
import { layouts } from "../support/editions.ts";
import { inputOf } from "./files.ts";
import { ensure, ensureAnswer, ensureSafe } from "./invariants.ts";
import { differences, ensureUntouched, readTree, type Stage } from "./place.ts";
import { isConfiguredOut, layoutOf, projects, putProject } from "./project.ts";
import { type Target, target } from "./target.ts";
import { text } from "./texts.ts";
import type { Output } from "./world.ts";

const commands = await loadCommands();

const value = fc.oneof(fc.constantFrom("1.1", "T001", "#1", "demo"), text);

const report = fc
  .array(fc.oneof(text, fc.constantFrom("TASK_COMPLETE", "\n", "1.1", "Task 1.1 FAILED")), {
    maxLength: 5,
  })
  .map((parts) => parts.join(""));
const heard = inputOf({
  session_id: '"s"',
  cwd: '"<root>"',
  agent_type: '"spec-executor"',
  agent_id: '"a"',
  last_assistant_message: '"<said>"',
  agent_transcript_path: '"<root>/specs/demo/tasks.md"',
});

const PLAIN =
  "status list logs tasks next pause approve repair cancel resume evidence undo doctor implement".split(
    " ",
  );

/** Every command but the demo. For that of the hook, the second word is what it gets on standard input. */
const lines: fc.Arbitrary<readonly string[]> = fc.oneof(
  fc.constantFrom(
    ...PLAIN.map((name) => [name]),
    ["implement", "--recovery-mode"],
    ["cancel", "--delete-spec"],
    ["status", "--line"],
    ["tasks list"],
    ["tasks lint"],
    ["tasks prioritize"],
    ["tasks prioritize", "--write"],
    ["tasks prioritize", "--write", "--renumber"],
    ["tasks prioritize", "--by-score", "--write"],
  ),
  fc
    .tuple(
      fc.constantFrom("status", "logs", "implement", "tasks show", "evidence", "tasks list"),
      value,
    )
    .map((words) => words),
  fc.tuple(value, text).map(([id, why]) => ["fail", id, "--reason", why]),
  text.map((why) => ["await-approval", "--reason", why]),
  fc.tuple(value, text, text).map(([id, a, b]) => ["split", id, "--into", a, "--into", b]),
  fc
    .tuple(value, text, fc.constantFrom("--before", "--after"), text)
    .map(([id, title, where, how]) => ["add", title, where, id, "--do", how, "--files", how]),
  fc.tuple(value, report).map(([id, said]) => ["done", id, "--report", said]),
  fc
    .tuple(heard, report)
    .map(([input, said]) => [
      "subagent-stop",
      input.replace('"<said>"', () => JSON.stringify(said)),
    ]),
);

const inputs = fc.record({
  project: projects,
  lines: fc.array(lines, { minLength: 1, maxLength: 3 }),
  json: fc.boolean(),
  session: fc.constantFrom(undefined, "s", "\u001b[31m"),
});

/** Files of a project that commands may write. */
const OWN =
  /^(?:\.(?:ralph|speckit|ralph-change)-(?:state\.json|journal\.jsonl)|\.progress(?:-task-.*)?\.md|tasks\.md|\.current-(?:spec|feature|change))$/s;
const CODES: ReadonlySet<number> = new Set(Object.values(EXIT));

/** Every command, as the program runs it: a documented exit code, clean output, and nothing else touched. */
export function commandTarget(stage: Stage, output: Output): Target {
  return target("command", 30, inputs, async ({ project, lines: all, json, session }) => {
    // What a task's Verify says is run in a shell: here it had better say nothing.
    const tasks = project.tasks;
    const mild = (one: string): string => one.replace(/verify/gi, "verity");
    const harmless = tasks?.kind === "bytes" ? { ...tasks, text: mild(tasks.text) } : tasks;
    putProject(stage, { ...project, tasks: harmless, git: null });
    const context: Context = {
      caller: { session: session ?? null, authority: session === undefined ? "user" : "agent" },
      layout: layoutOf(project),
      editions: layouts,
      host: hosts[0],
      program: "smart-ralph",
      colour: false,
      width: undefined,
      cwd: stage.root,
      starts: [stage.root],
      env: {
        PATH: "",
        CLAUDE_CONFIG_DIR: stage.outside,
        ...(session === undefined ? {} : { CLAUDE_CODE_SESSION_ID: session }),
      },
      now: () => ({ at: "2026-06-01T00:00:00.000Z", runId: "fresh" }),
      readStdin: () => stdin,
      write: () => true,
      verifier: localRunner,
      signal: () => new AbortController().signal,
    };
    let stdin = "";
    let before = readTree(stage.root);
    for (const [name = "", ...rest] of all) {
      const isHook = name === "subagent-stop";
      stdin = (rest[0] ?? "").replaceAll("<root>", stage.root);
      const words = [name, ...(isHook ? [] : rest.map(mild))];
      output.start();
      const { code, out, err } = await runCommand(context, words, json);
      const printed = output.stop();
      ensure(CODES.has(code) && code !== EXIT.internal, "an internal error", words, out, err);
      ensureSafe(out + err + printed, "what is printed");
      ensure(!/\n\s+at .*:\d+:\d+/.test(out + err), "a stack trace", out, err);
      if (isHook && !json) ensureAnswer(out.trim());
      if (json) ensure(typeof JSON.parse(out) === "object", "no JSON", out);
      const after = readTree(stage.root);
      for (const path of differences(before, after)) {
        const isUnlocked = path.endsWith("-lock") && !after.has(path);
        const isOwn = OWN.test(path.slice(path.lastIndexOf("/") + 1)) || isUnlocked;
        ensure(isOwn, "a command changed a file", words, path);
      }
      before = after;
    }
    ensureUntouched(stage, isConfiguredOut(stage, project));
  });
}

async function runCommand(
  context: Context,
  [name, ...rest]: readonly string[],
  json: boolean,
): Promise<{ code: number; out: string; err: string }> {
  const command = commands.find((one) => one.name === name);
  ensure(command !== undefined, "no such command", name);
  try {
    const result = await command.run(context, parseArguments(command, rest, context.program));
    return { code: result.code ?? EXIT.ok, out: renderResult(result, json, context), err: "" };
  } catch (error) {
    const { code, text: shown } = renderError(error, context.program, json, false);
    return json ? { code, out: shown, err: "" } : { code, out: "", err: shown };
  }
}
