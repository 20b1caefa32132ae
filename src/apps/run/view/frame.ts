import { DEMO } from "../../../agents/demo/demo.ts";
import { type AttemptView, openQuestions, type ViewModel } from "../../../runner/view/model.ts";
import { clean } from "../../../text/template.ts";
import { wrap } from "../../cli/columns.ts";
import { paint, type Paint } from "../../cli/paint.ts";
import { footer } from "./footer.ts";
import { head } from "./head.ts";
import { notices } from "./notices.ts";
import { line, part, type Part } from "./rows.ts";
import { taskRows, windowOf } from "./task-rows.ts";
import type { Seat, Ui } from "./ui.ts";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Scene {
  readonly model: ViewModel;
  readonly ui: Ui;
  readonly seat: Seat;
  /** Lines of the log that is open, as `logs` shows them. */
  readonly log: readonly string[];
}

/** Smaller screens show a part of this. */
const MIN: Size = { columns: 20, rows: 4 };
/** From here on there is room for empty lines, and for what agents are doing. */
const ROOMY = 16;

/** The content of the screen: exactly as many lines as it has rows, none wider than its columns. */
export function frame(scene: Scene, size: Size, now: number, colour: boolean): string[] {
  const width = Math.max(MIN.columns, size.columns);
  const height = Math.max(MIN.rows, size.rows);
  const style = paint(colour);
  const { model, ui, seat } = scene;
  const last = footer(model, ui, seat, width, style);
  const body = bodyOf(scene, { columns: width, rows: height - 1 }, now, style);
  const filled = [...body, ...Array.from({ length: height - 1 }, () => "")].slice(0, height - 1);
  return [...filled, last].slice(-Math.max(1, size.rows));
}

function bodyOf(scene: Scene, size: Size, now: number, style: Paint): string[] {
  const { mode } = scene.ui;
  if (mode.kind === "help") return help(scene, size, style);
  if (mode.kind === "log") return logLines(scene, mode, size, style);
  if (mode.kind === "answer") return questionLines(scene.model, mode.index, size, style);
  return overview(scene.model, size, now, style);
}

/** The whole question that is being answered, with its options. */
function questionLines(
  model: ViewModel,
  index: number,
  { columns, rows }: Size,
  { bold, accent, dim }: Paint,
): string[] {
  const open = openQuestions(model);
  const at = Math.min(index, open.length - 1);
  const asked = open[at];
  if (asked === undefined) return [];
  const { id, spec, task, text, options } = asked;
  const fold = (words: string): string[] => wrap(clean(words), columns).split("\n");
  const choices = options.flatMap((option, i) => fold(`${i + 1}. ${option}`));
  // The options stay visible however long the question is.
  const room = Math.max(1, rows - choices.length - 5);
  const count = open.length > 1 ? `  ${at + 1} of ${open.length}, ↑↓ another` : "";
  return [
    line([part(`Question ${id}, ${spec} ${task}`, bold), part(count, dim)], columns),
    "",
    ...fold(text).slice(0, room),
    "",
    ...choices.map((choice) => accent(choice)),
    ...(choices.length === 0
      ? []
      : [line([part("Type a number, or an answer in words.", dim)], columns)]),
  ];
}

function overview(
  model: ViewModel,
  { columns: width, rows }: Size,
  now: number,
  style: Paint,
): string[] {
  const isRoomy = rows >= ROOMY;
  const gap = isRoomy ? [""] : [];
  const top = head(model, width, now, style).slice(0, Math.max(1, rows - 2));
  const room = rows - top.length - gap.length;
  const list = taskRows({ model, width, now, style, isRoomy });
  // The list gets what it needs; the notices get the rest, and at least a third of the room.
  const lines = Math.max(Math.floor(room / 3), room - list.length - 2 * gap.length);
  const told = notices(model, { width, lines: Math.min(lines, isRoomy ? 12 : 2) }, now, style);
  const below = told.length === 0 ? gap : [...gap, ...told, ...gap];
  return [...top, ...gap, ...windowOf(list, room - below.length, style), ...below];
}

function logLines(
  { model, log }: Scene,
  mode: { readonly index: number; readonly up: number },
  { columns, rows }: Size,
  style: Paint,
): string[] {
  const attempt = model.attempts[mode.index];
  const room = Math.max(1, rows - 2);
  const all =
    log.length === 0 ? ["nothing yet"] : log.flatMap((text) => wrap(text, columns).split("\n"));
  const up = Math.min(mode.up, Math.max(0, all.length - room));
  const shown = all.slice(Math.max(0, all.length - room - up), all.length - up);
  const below = up > 0 ? ` · ${up} lines below` : "";
  const at = `  ${mode.index + 1} of ${model.attempts.length}${below}`;
  return [
    line([part(titleOf(attempt), style.bold), part(at, style.dim)], columns),
    "",
    ...shown.map((text) => line([part(text, tintOf(text, style))], columns)),
  ];
}

const titleOf = (attempt: AttemptView | undefined): string =>
  attempt === undefined ? "log" : `${attempt.task}, attempt ${attempt.attempt}, ${attempt.agent}`;

function tintOf(text: string, style: Paint): Part["tint"] {
  if (/^\s*[→$]/.test(text)) return style.accent;
  if (/^\s*✗/.test(text)) return style.bad;
  return /^\s{2,}/.test(text) ? style.dim : undefined;
}

function help({ model, seat }: Scene, { columns, rows }: Size, style: Paint): string[] {
  const lines = [
    ...(seat === "replay"
      ? []
      : [
          "p  pause: current work finishes, nothing new starts; p again resumes",
          "s  skip a task that is being worked on; you are asked first",
          "a  answer a question; its task continues with the answer",
        ]),
    "l  the log of an attempt; ← → choose it, ↑ ↓ scroll",
    seat === "running"
      ? model.agents.join() === DEMO
        ? "q  stop the demo; its project goes with it"
        : "q  stop the run; the same command continues where it stopped"
      : seat === "watching"
        ? "q  leave; the run keeps running (smart-ralph stop stops it)"
        : "q  leave",
    "",
    "▶  being worked on",
    "◆  its Verify is running",
    "✓  proven, or accepted by you",
    "~  checked: its Verify passes, and that is all",
    "✗  not done yet: refused, or its agent was ended",
    "?  waits for your answer",
    "⤼  skipped by you",
    "~  before a cost: from the prices in your settings, or in part unknown",
  ];
  const wrapped = lines.flatMap((text) => wrap(text, columns).split("\n"));
  return [style.bold("Keys and marks"), "", ...wrapped].slice(0, rows);
}
