import { execFileSync } from "node:child_process";
import { repoRoot } from "../../test/e2e/install.ts";
import { startModel } from "../../test/e2e/model.ts";
import { type Cell, parseScreen } from "./ansi.ts";
import { COLUMNS, openClient, openShell } from "./client.ts";
import { GOAL } from "./documents.ts";
import { CLIENT, film, LIVE } from "./film.ts";
import { makeStage, play, programPath, type Stage, writeDocuments } from "./stage.ts";
import { storyteller } from "./story.ts";
import { renderSvg } from "./svg.ts";
import type { Terminal } from "./terminal.ts";

/** Each makes one picture, as SVG, from what a real terminal showed. */
export const scenes: Readonly<Record<string, () => Promise<string>>> = {
  run: () => onStage(runScene),
  phase: () => onStage(phaseScene),
  look: () => onStage(lookScene),
  demo: () => onStage(demoScene),
  caught: () => onStage(caughtScene),
  live: () => onStage(liveScene),
};

async function onStage(scene: (stage: Stage) => Promise<string>): Promise<string> {
  const stage = makeStage();
  try {
    return await scene(stage);
  } finally {
    stage.remove();
  }
}

const RUN_ROWS = 32;

/** From a goal to proven work, by one line that the user types. */
async function runScene(stage: Stage): Promise<string> {
  return withClient(stage, RUN_ROWS, async (terminal) => {
    const frames = await film(terminal, CLIENT, async () => {
      await terminal.type(`/ralph-specum:start "${GOAL}" --quick`);
      await terminal.until(/receipt are in/);
      await terminal.type("!ralph-specum evidence");
      await terminal.until(/V4 All tests pass: /);
      await terminal.type("!ralph-specum summary");
      await terminal.until(/Undo: /);
    });
    return renderSvg(pictureOf(RUN_ROWS, "claude"), frames);
  });
}

/** One phase with a user who is asked: a question, the document, and the wait for approval. */
async function phaseScene(stage: Stage): Promise<string> {
  return withClient(stage, 60, async (terminal) => {
    await terminal.type(`/ralph-specum:start "${GOAL}"`);
    await terminal.until(/Ten a second/);
    terminal.press("Enter");
    await terminal.until(/approves it/);
    return still(terminal, "claude");
  });
}

async function lookScene(stage: Stage): Promise<string> {
  writeDocuments(stage);
  const program = programIn(stage);
  program("implement", "add-rate-limiting-api");
  play(stage, "1.1");
  program("done", "1.1", "--report", "TASK_COMPLETE");
  play(stage, "1.2");
  // Refused, because it counts all keys as one.
  program("done", "1.2", "--report", "TASK_COMPLETE");
  program("fail", "1.2", "--reason", "keys share one count");
  play(stage, "1.2", 2);
  program("done", "1.2", "--report", "TASK_COMPLETE");
  program("epic", "new", "partner-api", "Open the API to partners");
  program("epic", "add", "add-rate-limiting-api", "--goal", GOAL, "--size", "S");
  const more = ["--goal", "give each partner a key", "--size", "M"];
  program("epic", "add", "partner-keys", ...more, "--depends", "add-rate-limiting-api");
  program("epic", "add", "usage-page", "--goal", "show partners their use", "--size", "M");
  return inShell(stage, [
    ["smart-ralph status", /→ smart-ralph run/],
    ["smart-ralph trace", /no problems/],
    ["smart-ralph epic status", /→ \/ralph-specum:start/],
  ]);
}

const demoScene = (stage: Stage): Promise<string> =>
  inShell(stage, [["smart-ralph demo --fast", /ralph-specum:start/]]);

/** The part of the demo in which two lies are caught: all that a first look needs. */
const caughtScene = (stage: Stage): Promise<string> =>
  inShell(stage, [["smart-ralph demo --fast", /ralph-specum:start/]], (lines) => {
    const from = lines.findIndex((cells) => textOf(cells).includes("Everything works"));
    const to = lines.findIndex((cells) => textOf(cells).includes("→ next 2.1"));
    return lines.slice(from, to + 1);
  });

const LIVE_ROWS = 26;

/** A night in fifteen seconds: the live view of a run, then its report. */
async function liveScene(stage: Stage): Promise<string> {
  const terminal = await openShell(stage, LIVE_ROWS);
  try {
    const frames = await film(terminal, LIVE, async () => {
      await terminal.type("smart-ralph run --agent demo --parallel 2");
      await terminal.until(/run "what you want"/);
    });
    return renderSvg({ ...pictureOf(LIVE_ROWS, "sh"), title: "smart-ralph run" }, frames);
  } finally {
    await terminal.close();
  }
}

type Cut = (lines: readonly Cell[][]) => Cell[][];
type Line = readonly [command: string, shows: RegExp];

async function inShell(stage: Stage, lines: readonly Line[], cut?: Cut): Promise<string> {
  const terminal = await openShell(stage, 110);
  try {
    for (const [command, shows] of lines) {
      await terminal.type(command);
      await terminal.until(shows);
    }
    return still(terminal, "sh", cut);
  } finally {
    await terminal.close();
  }
}

async function withClient(
  stage: Stage,
  rows: number,
  scene: (terminal: Terminal) => Promise<string>,
): Promise<string> {
  const model = await startModel(storyteller(stage), { main: 200, sub: 200 });
  const terminal = await openClient(stage, model, rows);
  try {
    const picture = await scene(terminal);
    if (model.faults.length > 0) throw new Error(model.faults.join("\n"));
    return picture;
  } finally {
    await terminal.close();
    await model.close();
  }
}

const pictureOf = (rows: number, program: string) => ({
  title: `orders-api: ${program}`,
  columns: COLUMNS,
  rows,
});

/** The screen as it is, only as high as its content: empty rows are left out. */
function still(terminal: Terminal, program: string, cut: Cut = (lines) => [...lines]): string {
  // Wherever this checkout is, users have theirs elsewhere.
  const all = cut(parseScreen(terminal.capture().replaceAll(repoRoot, "~/smart-ralph")));
  const lines = all.filter(
    (cells, i) => !(isEmpty(cells) && isEmpty(all[i - 1]) && isEmpty(all[i - 2])),
  );
  while (isEmpty(lines.at(-1)) || isPrompt(lines.at(-1))) lines.pop();
  while (isEmpty(lines[0])) lines.shift();
  return renderSvg(pictureOf(lines.length, program), [{ lines, seconds: 1 }]);
}

const isEmpty = (cells: readonly Cell[] | undefined): boolean => cells?.length === 0;
const textOf = (cells: readonly Cell[] = []): string => cells.map(({ text }) => text).join("");
const isPrompt = (cells: readonly Cell[] | undefined): boolean => textOf(cells) === "$";

/** The exit code of a refused claim does not matter here. */
function programIn(stage: Stage): (...args: string[]) => void {
  const env = { PATH: process.env["PATH"], HOME: stage.home };
  return (...args) => {
    try {
      execFileSync(process.execPath, [programPath, ...args], {
        cwd: stage.root,
        env,
        stdio: "ignore",
      });
    } catch (error) {
      if ((error as { status?: number }).status !== 1) throw error;
    }
  };
}
