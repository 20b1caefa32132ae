import { openQuestions, type ViewModel } from "../../../runner/view/model.ts";
import { widthOf } from "../../cli/columns.ts";
import type { Paint } from "../../cli/paint.ts";
import { line, part, type Part, widthOfParts } from "./rows.ts";
import { type Seat, skippable, type Ui } from "./ui.ts";

/** The last line: what the keys do, or what is being asked. */
export function footer(model: ViewModel, ui: Ui, seat: Seat, width: number, style: Paint): string {
  const { warn, dim, bold } = style;
  const { mode, message } = ui;
  const asking = (question: string, ...pairs: Pair[]): string =>
    line([part(question, warn), ...keys(pairs, style)], width);
  const offering = (...pairs: Pair[]): string => fitting(pairs, width, style);
  switch (mode.kind) {
    case "stop":
      return asking("Stop the run? ", ["y", "stops it"], ["n", "continues"]);
    case "skip": {
      const all = skippable(model);
      const chosen = all[Math.min(mode.index, all.length - 1)];
      const more: Pair[] = all.length > 1 ? [["↑↓", "another"]] : [];
      return asking(`Skip ${chosen?.task ?? "it"}? `, ["y", "yes"], ["n", "no"], ...more);
    }
    case "answer": {
      const open = openQuestions(model);
      const id = open[Math.min(mode.index, open.length - 1)]?.id ?? "";
      const prompt = `Answer ${id}: `;
      // The end of what is typed stays visible.
      const room = Math.max(8, width - prompt.length - 1);
      let text = mode.text;
      while (widthOf(text) > room) text = [...text].slice(1).join("");
      const hint = mode.text === "" ? "  Enter sends, Esc cancels" : "";
      return line([part(prompt, warn), part(`${text}▏`), part(hint, dim)], width);
    }
    case "log":
      return offering(["←→", "attempt"], ["↑↓", "scroll"], ["Esc", "back"]);
    case "help":
      return offering(["any key", "back"]);
    case "run":
      if (message !== "") return line([part(message, bold)], width);
      return offering(...commandsFor(model, seat));
  }
}

type Pair = readonly [key: string, does: string];

function commandsFor(model: ViewModel, seat: Seat): Pair[] {
  const isOver = model.ended !== null || seat === "replay";
  return [
    ...(isOver
      ? []
      : ([
          ["p", model.paused ? "resume" : "pause"],
          ["s", "skip"],
        ] as const)),
    ...(isOver || openQuestions(model).length === 0 ? [] : ([["a", "answer"]] as const)),
    ["l", "log"],
    ["?", "help"],
    ["q", isOver || seat !== "running" ? "leave" : "stop"],
  ];
}

const keys = (pairs: readonly Pair[], { bold, dim }: Paint): Part[] =>
  pairs.flatMap(([key, does], i) => [
    part(i === 0 ? "" : "  "),
    part(key, bold),
    part(` ${does}`, dim),
  ]);

/** Drops entries until the rest fits, but never the last one: how to leave is always shown. */
function fitting(pairs: readonly Pair[], width: number, style: Paint): string {
  const text = keys(pairs, style);
  return pairs.length > 1 && widthOfParts(text) > width
    ? fitting(pairs.toSpliced(-2, 1), width, style)
    : line(text, width);
}
