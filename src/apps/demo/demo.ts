import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { editions } from "../../hosts/all.ts";
import { DemoClient } from "../../hosts/demo-client.ts";
import { openProject } from "../../store/project.ts";
import { sleep } from "../../store/sleep.ts";
import { readEntries, readTasks } from "../../store/spec-files.ts";
import { type Spec, specAt } from "../../store/spec.ts";
import { locate } from "../../tasks/position.ts";
import { oneLine } from "../../text/template.ts";
import { counted } from "../../text/wording.ts";
import { type Command, type Context, EXIT, type Result } from "../cli/command.ts";
import { paint } from "../cli/paint.ts";
import { type Act, DemoAgent } from "./agent.ts";
import demoTasks from "./tasks.md";

/** More turns than the script has: if the loop does not end on its own, the demo does, and says so. */
const MAX_TURNS = 20;
const PAUSE_MS = 350;

export const runDemo: Command["run"] = (context, { options }) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "smart-ralph-demo-")));
  const isWatched = context.colour && options["fast"] !== true;
  const write = options["json"] === true ? () => {} : context.write;
  try {
    return play({ ...context, write }, folder, isWatched);
  } finally {
    if (options["keep"] !== true) rmSync(folder, { recursive: true, force: true });
  }
};

function play(context: Context, folder: string, watched: boolean): Result {
  const { bold, dim, good, bad, accent, warn } = paint(context.colour);
  const spec = makeProject(folder);
  const client = new DemoClient(folder);
  const agent = new DemoAgent(folder);
  const show = (who: string, line: string): void => {
    if (watched) sleep(PAUSE_MS);
    context.write(`${who.padEnd(9)}${line}\n`);
  };

  context.write(`${bold("Smart Ralph demo")}: a spec of six tasks in ${folder}\n`);
  context.write(
    dim("The agent is a script; the hook, the commands and the files are the real ones.\n\n"),
  );
  show("user", accent("/ralph-specum:implement"));
  let prompt: string | undefined = client.type("implement").text;
  const hookTimes: number[] = [];

  for (let turn = 1; prompt !== undefined && turn <= MAX_TURNS; turn++) {
    context.write(`\n${dim(`turn ${turn}`)}\n`);
    const { acts, message, aside } = agent.turn(prompt);
    for (const act of acts) perform(act, client, show, { good, warn });
    show("agent", `says ${oneLine(message, 60)}${aside === undefined ? "" : bad(`  (${aside})`)}`);
    const answer = client.stop(message);
    hookTimes.push(answer.milliseconds);
    const event = readEntries(spec).at(-1)?.event ?? "?";
    const verdict =
      { continue: accent("continue"), "sent-back": bad("sent back"), finished: good("may stop") }[
        event as string
      ] ?? event;
    show(
      "hook",
      `${verdict} ${dim(`${Math.round(answer.milliseconds)} ms`)}  ${answer.systemMessage ?? ""}`,
    );
    if (event === "sent-back")
      show(
        "",
        dim(
          oneLine(
            answer.reason?.split("\n\n").find((part) => part.includes("Unticked")) ?? "",
            150,
          ),
        ),
      );
    prompt = answer.reason;
  }
  return receipt(context, spec, hookTimes);
}

function perform(
  act: Act,
  client: DemoClient,
  show: (who: string, line: string) => void,
  { good, warn }: { good: (text: string) => string; warn: (text: string) => string },
): void {
  if (act.kind === "work") {
    show("executor", `${act.id} ${act.note}`);
    return;
  }
  const ran =
    act.kind === "done"
      ? client.command(["done", act.id, "--report", "-"], act.report)
      : client.command(["fail", act.id, "--reason", act.reason]);
  const mark = act.kind === "done" && ran.code === 0 ? good("✓") : warn("✗");
  show("command", `${mark} ${act.kind} ${act.id}: ${oneLine(ran.text, 150)}`);
}

/** Part of the project, so that a Verify is short enough to read. */
const CHECK = `import { greet } from "./greet.mjs";
const [wanted, ...names] = process.argv.slice(2);
console.log("greet() says", greet(...names));
process.exit(greet(...names) === wanted ? 0 : 1);
`;

function makeProject(folder: string): Spec {
  const place = join(folder, "specs", "greeter");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "tasks.md"), demoTasks);
  writeFileSync(join(folder, "check.mjs"), CHECK);
  return specAt(openProject(editions[0], folder), place);
}

function receipt(context: Context, spec: Spec, hookTimes: readonly number[]): Result {
  const { bold, good, bad } = paint(context.colour);
  const entries = readEntries(spec);
  const tasks = readTasks(spec);
  const list = tasks.kind === "ok" ? tasks.list : undefined;
  const rows = (list?.tasks ?? []).map((task) => {
    const about = entries.filter((entry) => entry.task === task.id);
    const failed = about.filter(({ event }) => event === "failed").length;
    const refused = about.filter(({ event }) => event === "refused").length;
    return { id: task.id, title: task.title, done: task.checked, attempts: failed + 1, refused };
  });
  const finished =
    list !== undefined && locate(list).open.length === 0 && entries.at(-1)?.event === "finished";
  const middle = [...hookTimes].sort((a, b) => a - b)[Math.floor(hookTimes.length / 2)] ?? 0;
  const lines = rows.map(({ id, title, done, attempts, refused }) => {
    const notes = [
      attempts > 1 ? `${attempts} attempts` : "",
      refused > 0 ? `${counted(refused, "report")} refused` : "",
    ].filter(Boolean);
    return `  ${done ? good("✓") : bad("✗")} ${id} ${title}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`;
  });
  const lies = entries.filter(({ event }) => event === "sent-back").length;
  const text = [
    `\n${bold("Receipt")}`,
    ...lines,
    `  ${counted(hookTimes.length, "turn")}, ${counted(lies, "false claim")} sent back, median stop: ${Math.round(middle)} ms; ${finished ? good("finished, state removed") : bad("not finished")}`,
  ].join("\n");
  return {
    code: finished ? EXIT.ok : EXIT.refused,
    text,
    json: { ok: finished, tasks: rows, turns: hookTimes.length, sentBack: lies },
  };
}
