import type { Controls } from "../../runner/controls.ts";
import type { RunEvent } from "../../runner/events.ts";
import { type AttemptView, EMPTY } from "../../runner/view/model.ts";
import { reduceAll } from "../../runner/view/reduce.ts";
import { SIGNALS } from "../stdio/terminal.ts";
import { openPainter } from "./painter.ts";
import { frame, type Size } from "./view/frame.ts";
import { parseKeys } from "./view/keys.ts";
import { type Effect, expire, press, type Seat, START, type Ui } from "./view/ui.ts";

/** What the live view needs from outside. */
export interface Stage {
  readonly write: (text: string) => void;
  readonly size: () => Size;
  readonly now: () => number;
  readonly colour: boolean;
  readonly seat: Seat;
  /** Undefined in a replay. */
  readonly controls: Controls | undefined;
  /** The last lines of an attempt's log. */
  readonly readLog: (attempt: AttemptView) => readonly string[];
}

/** Frames are drawn at most this often. */
const FRAME_MS = 100;
/** Redraws for countdowns. */
const TICK_MS = 1000;
/** Opens the live view on this process's terminal. However the process ends, the terminal is restored. */
export function openLive(stage: Stage) {
  const { stdin, stdout } = process;
  const painter = openPainter(stage.write);
  let model = EMPTY;
  let ui: Ui = START;
  let timer: NodeJS.Timeout | undefined;
  let drawn = 0;
  let pressed = 0;
  let isOpen = true;
  let leave = (): void => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });

  const draw = (): void => {
    timer = undefined;
    if (!isOpen) return;
    drawn = Date.now();
    ui = expire(ui, drawn - pressed, model);
    const attempt = ui.mode.kind === "log" ? model.attempts[ui.mode.index] : undefined;
    const log = attempt === undefined ? [] : stage.readLog(attempt);
    painter.show(
      frame({ model, ui, seat: stage.seat, log }, stage.size(), stage.now(), stage.colour),
    );
  };
  const drawSoon = (): void => {
    timer ??= setTimeout(draw, Math.max(0, drawn + FRAME_MS - Date.now()));
  };
  const act = (effect: Effect): void => {
    if (effect.kind === "leave") return leave();
    try {
      apply(effect, stage.controls);
    } catch (error) {
      ui = { ...ui, message: error instanceof Error ? error.message : String(error) };
    }
  };
  const onKeys = (data: Buffer | string): void => {
    pressed = Date.now();
    for (const key of parseKeys(data.toString())) {
      const next = press(ui, key, model, stage.seat);
      ui = next.ui;
      if (next.effect !== undefined) act(next.effect);
    }
    drawSoon();
  };
  const onResize = (): void => {
    painter.forget();
    drawSoon();
  };
  /** In raw mode Ctrl-C is a key, but another process may send the signal. A run has its own way to end. */
  const onSignal = (): void => {
    if (stage.seat !== "running") leave();
  };
  const tick = setInterval(drawSoon, TICK_MS);
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(tick);
    clearTimeout(timer);
    for (const name of SIGNALS) process.off(name, onSignal);
    process.off("exit", close);
    stdin.off("data", onKeys);
    stdout.off("resize", onResize);
    if (stdin.isTTY === true) stdin.setRawMode(false);
    stdin.pause();
    painter.close();
  };

  for (const name of SIGNALS) process.on(name, onSignal);
  // Also after a crash: node prints the error after this.
  process.on("exit", close);
  if (stdin.isTTY === true) stdin.setRawMode(true);
  stdin.resume().on("data", onKeys);
  // A terminal that is gone cannot be read; the signal ends the view. It stays until the process ends.
  stdin.on("error", () => undefined);
  stdout.on("resize", onResize);
  draw();
  return {
    tell(events: readonly RunEvent[]): void {
      model = reduceAll(events, model);
      drawSoon();
    },
    /** Settles when the user leaves, but not when the run ends: call `close` then. */
    left,
    close,
  };
}

function apply(effect: Exclude<Effect, { kind: "leave" }>, controls: Controls | undefined): void {
  switch (effect.kind) {
    case "pause":
      return controls?.pause();
    case "resume":
      return controls?.resume();
    case "stop":
      return controls?.stop();
    case "skip":
      return controls?.skip(effect.spec, effect.task);
    case "answer":
      return controls?.answer(effect.spec, effect.id, effect.text);
  }
}
