import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSpecFacts } from "../../engine/read-facts.ts";
import { tasksOf } from "../../engine/with-run.ts";
import { MARKS } from "../../facts/marks.ts";
import { editionsOf, hosts } from "../../hosts/all.ts";
import { DemoClient } from "../../hosts/first.ts";
import type { Entry } from "../../run/journal.ts";
import { openProject } from "../../store/project.ts";
import { readEntries, readTasks } from "../../store/spec-files.ts";
import { type Spec, specAt } from "../../store/spec.ts";
import { locate } from "../../tasks/position.ts";
import { oneLine } from "../../text/template.ts";
import { counted } from "../../text/wording.ts";
import type { Command, Context, Result } from "../cli/command.ts";
import { paint } from "../cli/paint.ts";
import { type Act, DemoAgent } from "./agent.ts";
import { writeDemoProject } from "./project.ts";
import { openScreen, type Screen } from "./screen.ts";

/** More turns than the script has: if the loop does not end on its own, the demo does, and says so. */
const MAX_TURNS = 20;

export const runDemo: Command["run"] = (context, { options }) => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "smart-ralph-demo-")));
  const folder = join(place, "greeter");
  const screen = openScreen({
    colour: context.colour,
    columns: process.stdout.columns,
    write: options["json"] === true ? () => {} : (text) => void context.write(text),
    slow: context.colour && options["fast"] !== true,
  });
  try {
    return play(context, folder, screen, options["keep"] === true);
  } finally {
    if (options["keep"] !== true) rmSync(place, { recursive: true, force: true });
  }
};

const LEGEND = [
  "  ✓ proven      its Verify failed before the work, and passed when Smart Ralph ran it",
  "  ✗ refused     the agent's claim does not hold",
  "  ↩ sent back   the agent tried to stop too early",
  "  → next        the task it gets at the end of its turn",
];

function play(context: Context, folder: string, screen: Screen, isKept: boolean): Result {
  const spec = makeProject(folder);
  const client = new DemoClient(folder);
  const agent = new DemoAgent(folder);
  const { bold } = paint(context.colour);

  screen.write(bold("Six tasks, and an agent that says it is done when it is not"));
  screen.write("The agent is a script; everything else is real.");
  screen.write();
  for (const line of LEGEND) screen.write(line);
  screen.write();
  screen.say("you", "/ralph-specum:implement");
  let prompt: string | undefined = client.type("implement").text;
  const hookTimes: number[] = [];

  for (let turn = 1; prompt !== undefined && turn <= MAX_TURNS; turn++) {
    screen.write();
    const { acts, message } = agent.turn(prompt);
    for (const act of acts) perform(act, client, spec, screen);
    if (acts.length === 0) screen.say("agent", `"${oneLine(message, 200)}"`);
    const answer = client.stop(message);
    hookTimes.push(answer.milliseconds);
    screen.say("ralph", describeStop(spec, answer.systemMessage));
    prompt = answer.reason;
  }
  const next = [...(isKept ? [`The project is in ${folder}`, ""] : []), ...whatNext(client)];
  const { text, ...result } = receipt(context, spec, hookTimes);
  const shown = text.split("\n").map(screen.fit);
  // Commands are for copying: a terminal can join what it broke itself.
  return { ...result, text: [...shown, "", bold("What next"), ...next].join("\n") };
}

function perform(act: Act, client: DemoClient, spec: Spec, screen: Screen): void {
  if (act.kind === "work") {
    screen.say("agent", `${act.id} ${act.note}`);
    return;
  }
  if (act.kind === "done") {
    screen.say("agent", `"${oneLine(act.report, 200)}"`);
    client.command(["done", act.id, "--report", "-"], act.report);
  } else {
    screen.say("agent", `${act.id} gives up: ${act.reason}`);
    client.command(["fail", act.id, "--reason", act.reason]);
  }
  const entry = readEntries(spec).findLast(
    ({ task, event }) => task === act.id && event !== "before",
  );
  screen.say("ralph", entry === undefined ? "?" : describeClaim(entry));
}

function describeClaim({ event, task, note = "", verdict, loop }: Entry): string {
  if (event === "refused") return `✗ refused: ${note}`;
  if (event === "failed")
    return `✗ ${task} failed, attempt ${(loop.attempts[task ?? ""] ?? 1) - 1} of ${loop.maxAttempts}`;
  const is = verdict?.class ?? "reported";
  return `${MARKS[is]} ${task} ${is}: ${verdict?.weakness ?? note}`;
}

function describeStop(spec: Spec, message = ""): string {
  const event = readEntries(spec).at(-1)?.event;
  const tasks = readTasks(spec);
  const open = tasks.kind === "ok" ? locate(tasks.list).open : [];
  if (event === "sent-back")
    return `↩ sent back: ${counted(open.length, "task")} still open: ${open.map(({ id }) => id).join(", ")}`;
  if (event === "continue") return `→ next ${open[0]?.id} ${open[0]?.title}`;
  // What was told above is not told again; what the program did itself was not.
  const [end = "", last = ""] = message.split(" · ").reverse();
  return `${last === "" ? "" : `${last}, without any agent; `}✓ the agent may stop. ${end}`;
}

/** The first steps in a project of one's own. */
const whatNext = (client: DemoClient): string[] => [
  ...client.firstSteps(),
  '  /ralph-specum:start "add rate limiting to the API"',
];

function makeProject(folder: string): Spec {
  const { place } = writeDemoProject(folder);
  return specAt(openProject(editionsOf(hosts[0])[0], folder), place);
}

function receipt(context: Context, spec: Spec, hookTimes: readonly number[]): Result {
  const { bold, good, bad } = paint(context.colour);
  const entries = readEntries(spec);
  const { tasks: rows, counts } = readSpecFacts(spec, tasksOf(spec, readTasks(spec)));
  const finished = counts.done === counts.total && entries.at(-1)?.event === "finished";
  const middle = [...hookTimes].sort((a, b) => a - b)[Math.floor(hookTimes.length / 2)] ?? 0;
  const lines = rows.map(({ id, title, class: is, attempts, refused }) => {
    const notes = [
      attempts > 1 ? `${attempts} attempts` : "",
      refused > 0 ? `${counted(refused, "report")} refused` : "",
    ].filter(Boolean);
    const mark = is === "failed" || is === "open" ? bad(MARKS[is]) : good(MARKS[is]);
    return `  ${mark} ${id} ${title}: ${is}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`;
  });
  const sentBack = entries.filter(({ event }) => event === "sent-back").length;
  const refused = entries.filter(({ event }) => event === "refused").length;
  const text = [
    `\n${bold("Receipt")}`,
    ...lines,
    `  ${finished ? good("finished") : bad("not finished")} in ${counted(hookTimes.length, "turn")}; ${sentBack + refused} false claims, none believed`,
    `  the stop hook took ${Math.round(middle)} ms (median)`,
  ].join("\n");
  return {
    ok: finished,
    text,
    json: { tasks: rows, turns: hookTimes.length, sentBack },
  };
}
