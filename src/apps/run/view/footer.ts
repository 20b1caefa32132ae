import { openQuestions, type ViewModel } from "../../../runner/view/model.ts";
import { widthOf } from "../../cli/columns.ts";
import type { Paint } from "../../cli/paint.ts";
import { line, type Part } from "./rows.ts";
import { type Seat, skippable, type Ui } from "./ui.ts";

/** The last line: what the keys do, or what is being asked. */
export function footer(model: ViewModel, ui: Ui, seat: Seat, width: number, style: Paint): string {
  const { warn, dim, bold } = style;
  const { mode, message } = ui;
  switch (mode.kind) {
    case "stop":
      return line(
        [
          { text: "Stop the run? ", tint: warn },
          ...keys(
            [
              ["y", "stops it"],
              ["n", "continues"],
            ],
            style,
          ),
        ],
        width,
      );
    case "skip": {
      const all = skippable(model);
      const chosen = all[Math.min(mode.index, all.length - 1)];
      const more: Pair[] = all.length > 1 ? [["↑↓", "another"]] : [];
      return line(
        [
          { text: `Skip ${chosen?.task ?? "it"}? `, tint: warn },
          ...keys([["y", "yes"], ["n", "no"], ...more], style),
        ],
        width,
      );
    }
    case "answer": {
      const open = openQuestions(model);
      const id = open[Math.min(mode.index, open.length - 1)]?.id ?? "";
      const prompt = `Answer ${id}: `;
      // The end of what is typed stays visible.
      const room = Math.max(8, width - prompt.length - 1);
      let text = mode.text;
      while (widthOf(text) > room) text = [...text].slice(1).join("");
      return line(
        [
          { text: prompt, tint: warn },
          { text: `${text}▏` },
          { text: mode.text === "" ? "  Enter sends, Esc cancels" : "", tint: dim },
        ],
        width,
      );
    }
    case "log":
      return fitting(
        [
          ["←→", "attempt"],
          ["↑↓", "scroll"],
          ["Esc", "back"],
        ],
        width,
        style,
      );
    case "help":
      return fitting([["any key", "back"]], width, style);
    case "run":
      if (message !== "") return line([{ text: message, tint: bold }], width);
      return fitting(commandsFor(model, seat), width, style);
  }
}

type Pair = readonly [key: string, does: string];

function commandsFor(model: ViewModel, seat: Seat): Pair[] {
  const isOver = model.ended !== null || seat === "replay";
  return [
    ...(isOver ? [] : ([["p", model.paused ? "resume" : "pause"]] as const)),
    ...(isOver ? [] : ([["s", "skip"]] as const)),
    ...(isOver || openQuestions(model).length === 0 ? [] : ([["a", "answer"]] as const)),
    ["l", "log"],
    ["?", "help"],
    ["q", isOver || seat !== "running" ? "leave" : "stop"],
  ];
}

const keys = (pairs: readonly Pair[], { bold, dim }: Paint): Part[] =>
  pairs.flatMap(([key, does], i) => [
    { text: i === 0 ? "" : "  " },
    { text: key, tint: bold },
    { text: ` ${does}`, tint: dim },
  ]);

/** Drops entries until the rest fits, but never the last one: how to leave is always shown. */
function fitting(pairs: readonly Pair[], width: number, style: Paint): string {
  const text = keys(pairs, style);
  const isTooLong = widthOf(text.map((part) => part.text).join("")) > width;
  return isTooLong && pairs.length > 1
    ? fitting(pairs.toSpliced(-2, 1), width, style)
    : line(text, width);
}
