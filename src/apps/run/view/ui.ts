import {
  type AttemptView,
  isCurrent,
  openQuestions,
  type QuestionView,
  type ViewModel,
} from "../../../runner/view/model.ts";
import { clean } from "../../../text/template.ts";
import type { Key } from "./keys.ts";

/** What the user is doing. */
export type Mode =
  | { readonly kind: "run" }
  | { readonly kind: "help" }
  /** `index`: which of the current attempts to skip. */
  | { readonly kind: "skip"; readonly index: number }
  | { readonly kind: "stop" }
  | { readonly kind: "answer"; readonly index: number; readonly text: string }
  /** `up`: how many lines above the end. */
  | { readonly kind: "log"; readonly index: number; readonly up: number };

export interface Ui {
  readonly mode: Mode;
  /** The result of the last key, shown until the next one or for a few seconds. */
  readonly message: string;
}

const MESSAGE_MS = 5000;

/** `age`: how long ago the last key was. A run that is asked to pause says so until it does: the same key takes it back. */
export const expire = (ui: Ui, age: number, { paused, ended }: ViewModel): Ui =>
  age < MESSAGE_MS || (ui.message === PAUSING && !paused && ended === null)
    ? ui
    : { ...ui, message: "" };

export const START: Ui = { mode: { kind: "run" }, message: "" };

export type Effect =
  | { readonly kind: "pause" | "resume" | "stop" | "leave" }
  | { readonly kind: "skip"; readonly spec: string; readonly task: string }
  | { readonly kind: "answer"; readonly spec: string; readonly id: number; readonly text: string };

/** What keys can do here. `watching`: leaving does not end the run. `replay`: there is nothing to control. */
export type Seat = "running" | "watching" | "replay";

interface Pressed {
  readonly ui: Ui;
  readonly effect?: Effect;
}

const to = (mode: Mode, message = ""): Pressed => ({ ui: { mode, message } });
const back = (message = ""): Pressed => to({ kind: "run" }, message);

const STOPPING: Pressed = { ui: { ...START, message: "Stopping…" }, effect: { kind: "stop" } };

const MAX_ANSWER = 2000;

/** Attempts at the tasks that can be skipped: those that are being worked on. */
export const skippable = ({ attempts }: ViewModel): readonly AttemptView[] =>
  attempts.filter(isCurrent);

export function press(ui: Ui, key: Key, model: ViewModel, seat: Seat): Pressed {
  const { mode } = ui;
  if (key.kind === "ctrl-c") return interrupt(mode, model, seat);
  switch (mode.kind) {
    case "run":
      return command(ui.message, key, model, seat);
    case "help":
      return back();
    case "stop":
      return isYes(key) ? STOPPING : back("The run continues.");
    case "skip":
      return skip(mode.index, key, model);
    case "answer":
      return answer(mode, key, openQuestions(model));
    case "log":
      return log(mode, key, model);
  }
}

/** Asks first; a second press stops the run. */
function interrupt(mode: Mode, { ended }: ViewModel, seat: Seat): Pressed {
  if (seat !== "running" || ended !== null) return { ui: START, effect: { kind: "leave" } };
  return mode.kind === "stop" ? STOPPING : to({ kind: "stop" });
}

const isYes = (key: Key): boolean => key.kind === "text" && /^y$/i.test(key.text);

const PAUSING = "Pausing once the current work is done; p resumes.";

/** A run pauses once its current work is finished; until then the message says that it will. */
const isPaused = (message: string, { paused }: ViewModel): boolean => paused || message === PAUSING;

function command(message: string, key: Key, model: ViewModel, seat: Seat): Pressed {
  const isOver = model.ended !== null || seat === "replay";
  switch (key.kind === "text" ? key.text.toLowerCase() : key.kind) {
    case "p":
      if (isOver) return back("There is nothing to pause.");
      return isPaused(message, model)
        ? { ui: { ...START, message: "Resuming…" }, effect: { kind: "resume" } }
        : { ui: { ...START, message: PAUSING }, effect: { kind: "pause" } };
    case "s":
      if (isOver || skippable(model).length === 0) return back("No task is being worked on.");
      return to({ kind: "skip", index: 0 });
    case "a":
      if (isOver || openQuestions(model).length === 0)
        return back(model.approvals[0]?.todo ?? "There is no open question.");
      return to({ kind: "answer", index: 0, text: "" });
    case "l":
      if (model.attempts.length === 0) return back("There is no log yet.");
      return to({ kind: "log", index: newestAttempt(model), up: 0 });
    case "?":
    case "h":
      return to({ kind: "help" });
    case "q":
      return interrupt({ kind: "run" }, model, seat);
    default:
      return back();
  }
}

/** The newest current attempt, or else the newest of all. */
const newestAttempt = ({ attempts }: ViewModel): number => {
  const current = attempts.findLastIndex(isCurrent);
  return current < 0 ? attempts.length - 1 : current;
};

const move = (index: number, by: number, count: number): number =>
  Math.max(0, Math.min(count - 1, index + by));

function skip(index: number, key: Key, model: ViewModel): Pressed {
  const all = skippable(model);
  const chosen = all[Math.min(index, all.length - 1)];
  if (chosen === undefined) return back("No task is being worked on.");
  if (key.kind === "up" || key.kind === "down")
    return to({ kind: "skip", index: move(index, key.kind === "up" ? -1 : 1, all.length) });
  if (!isYes(key)) return back("Nothing is skipped.");
  const { spec, task } = chosen;
  return {
    ui: { mode: { kind: "run" }, message: `Skipping ${task}…` },
    effect: { kind: "skip", spec, task },
  };
}

function answer(
  mode: Extract<Mode, { kind: "answer" }>,
  key: Key,
  questions: readonly QuestionView[],
): Pressed {
  const index = Math.min(mode.index, questions.length - 1);
  const question = questions[index];
  if (question === undefined) return back("There is no open question.");
  switch (key.kind) {
    case "escape":
      return back("Nothing is answered.");
    case "up":
    case "down":
      // Text that is already typed would become the answer to another question.
      return mode.text === ""
        ? to({ ...mode, index: move(index, key.kind === "up" ? -1 : 1, questions.length) })
        : to(mode);
    case "backspace":
      return to({ ...mode, text: [...mode.text].slice(0, -1).join("") });
    case "text":
      return to({ ...mode, text: clean(mode.text + key.text).slice(0, MAX_ANSWER) });
    case "enter": {
      const text = mode.text.trim();
      if (text === "") return to(mode);
      const { spec, id } = question;
      return {
        ui: { mode: { kind: "run" }, message: `Question ${id} is answered.` },
        effect: { kind: "answer", spec, id, text },
      };
    }
    default:
      return to(mode);
  }
}

/** How many lines up. */
const SCROLL: Readonly<Partial<Record<Key["kind"], number>>> = {
  up: 1,
  down: -1,
  "page-up": 10,
  "page-down": -10,
  home: Number.MAX_SAFE_INTEGER / 2,
  end: -Number.MAX_SAFE_INTEGER,
};

function log(mode: Extract<Mode, { kind: "log" }>, key: Key, { attempts }: ViewModel): Pressed {
  const by = SCROLL[key.kind];
  if (by !== undefined) return to({ ...mode, up: Math.max(0, mode.up + by) });
  if (key.kind === "left" || key.kind === "right") {
    const index = move(mode.index, key.kind === "left" ? -1 : 1, attempts.length);
    return to({ ...mode, index, up: 0 });
  }
  const leaves = key.kind === "text" ? /^[lq]$/i.test(key.text) : key.kind === "escape";
  return leaves ? back() : to(mode);
}
