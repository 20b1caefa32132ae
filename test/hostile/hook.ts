import { join } from "node:path";
import * as fc from "fast-check";
import { logFault, parseJson } from "../../src/apps/hook/event.ts";
import * as bundle from "../../src/apps/hook/on-demand.ts";
import { onDemand } from "../../src/apps/hook/stop.ts";
import { type Handler, returned, stop } from "../../src/apps/hook/stop.ts";
import { claude } from "../../src/hosts/claude/host.ts";
import { parseLastEntry } from "../../src/run/journal-lines.ts";
import { faultOf, MAX_BYTES, readTail } from "../../src/store/read.ts";
import { inputOf, transcript } from "./files.ts";
import { ensure, ensureAnswer, ensureSafe } from "./invariants.ts";
import { differences, ensureUntouched, readTree, slotOf, type Stage, type Tree } from "./place.ts";
import { isConfiguredOut, layoutOf, projects, putProject } from "./project.ts";
import { type Target, target } from "./target.ts";
import { text } from "./texts.ts";
import type { Output } from "./world.ts";

const handlers: Readonly<Record<string, Handler>> = { stop, return: returned, ...bundle.handlers };

const message = fc.oneof(
  fc.constantFrom("Done.", "ALL_TASKS_COMPLETE", "```\nALL_TASKS_COMPLETE\n```"),
  text,
);

/** Stands in a text for the folder that is only known when the input is run. */
const ROOT = "<root>";
const where = fc.constantFrom(ROOT, ROOT, ROOT, ROOT, `${ROOT}/src`, `${ROOT}/..`, "", "/", "x");

const FIELDS = {
  session_id: '"s"',
  cwd: '"<cwd>"',
  stop_hook_active: "false",
  prompt: '"hello"',
  error: '"overloaded"',
  transcript_path: `"${ROOT}/transcript"`,
  tool_use_id: '"call"',
  tool_input: '{"subagent_type":"spec-executor","prompt":"1.1","run_in_background":true}',
  tool_response: '{"status":"completed","agentId":"a","totalTokens":1}',
};
const AGENTS = '[{"type":{"toString":1}},{"type":"shell"},null,5]';
const input = fc
  .tuple(
    fc.oneof(
      inputOf(FIELDS),
      inputOf({ ...FIELDS, last_assistant_message: '"<said>"' }),
      inputOf({ ...FIELDS, last_assistant_message: '"<said>"', background_tasks: AGENTS }),
    ),
    where,
    message,
  )
  .map(([whole, cwd, said]) =>
    whole
      .replace('"<cwd>"', () => JSON.stringify(cwd))
      .replace('"<said>"', () => JSON.stringify(said)),
  );

const inputs = fc.record({
  project: projects,
  transcript: slotOf(transcript, 100 << 20),
  started: fc.option(where, { freq: 3 }),
  events: fc.array(
    fc.record({
      event: fc.constantFrom(
        "stop",
        "stop",
        "stop",
        "delegate",
        "return",
        ...Object.keys(handlers),
      ),
      input,
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

/** Files of a spec that a hook may write or remove; `tasks.md` is not among them. */
const OWN =
  /^(?:\.(?:ralph|speckit|ralph-change)-(?:state\.json|journal\.jsonl)|\.progress(?:-task-.*)?\.md)$/s;

// The bundles load it from their own folder; here it is part of the same program.
onDemand.load = () => bundle;

/** The real handlers, on a real project: an agent may stop, whatever somebody has put there. */
export function hookTarget(stage: Stage, output: Output): Target {
  return target("hook", 60, inputs, ({ project, transcript: said, started, events }) => {
    putProject(stage, project);
    stage.put(join(stage.root, "transcript"), said);
    const layout = layoutOf(project);
    const real = (one: string): string => one.replaceAll(ROOT, stage.root);
    const env = started === null ? {} : { CLAUDE_PROJECT_DIR: real(started) };
    let before = readTree(stage.root);
    for (const one of events) {
      output.start();
      const out = answerTo(one.event, real(one.input));
      const printed = output.stop();
      ensureAnswer(out);
      ensureSafe(printed, "standard error");
      const isOurs = printed === "" || /^(?:\[ralph-\w+\] [^\n]+\n)+$/.test(printed);
      ensure(isOurs, "standard error is not lines of ours", printed);
      const after = readTree(stage.root);
      ensureOwn(before, after, stage.root);
      before = after;
    }
    ensureUntouched(stage, isConfiguredOut(stage, project));

    function answerTo(event: string, given: string): string {
      const handler = handlers[event] as (typeof handlers)[string];
      try {
        return handler(layout, claude, parseJson(given), env);
      } catch (error) {
        // A file that cannot be used is expected; anything else is an internal error that the hook's catch hides.
        if (faultOf(error) === undefined) {
          output.stop();
          throw error;
        }
        logFault(layout, error);
        return "";
      }
    }
  });
}

function ensureOwn(before: Tree, after: Tree, root: string): void {
  for (const path of differences(before, after)) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    // A dead lock is taken away; one of our own must not be left.
    const isUnlocked = name.endsWith("-lock") && !after.has(path);
    const isOwn = OWN.test(name) || isUnlocked || /^\.git\/info(?:\/exclude)?$/.test(path);
    ensure(isOwn, "a file that is none of the hook's has changed", path);
    if (!name.endsWith("-journal.jsonl") || !after.has(path)) continue;
    const tail = readTail(join(root, path), MAX_BYTES.tail);
    const last =
      tail.kind === "ok" ? parseLastEntry(tail.text.split("\n").slice(-2).join("\n")) : undefined;
    ensure(last !== undefined, "what was written to the journal cannot be read again", tail);
  }
}
