import { sleep } from "../../store/read.ts";
import { paint } from "../cli/paint.ts";

const PAUSE_MS = 350;
const NAME_WIDTH = 7;
/** Where a line of the receipt goes on: after its mark. */
const HANG = 4;
/** For pipes, and for terminals that do not say how wide they are. */
const COLUMNS = 80;
const MIN_COLUMNS = 40;

/**
 * Breaks lines only between words: a word that is too long for a line has one to itself. Lines after the first are
 * indented by `hang`.
 */
export function wrap(text: string, width: number, hang = 0): string {
  const [first = "", ...words] = text.split(" ");
  const lines = [first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lengthOf(longer) <= width) lines.splice(-1, 1, longer);
    else lines.push(" ".repeat(hang) + word);
  }
  return lines.join("\n");
}

// eslint-disable-next-line no-control-regex -- the colours of paint.ts
const lengthOf = (text: string): number => text.replace(/\u001b\[\d+m/g, "").length;

interface Terminal {
  readonly colour: boolean;
  readonly columns: number | undefined;
  readonly write: (text: string) => void;
  /** A person watches: lines come one after the other. */
  readonly slow: boolean;
}

export interface Screen {
  /** Who says what: the name in a column, the text beside it. Blank if the same one goes on. */
  readonly say: (who: string, text: string) => void;
  readonly write: (text?: string) => void;
  /** For text that is printed elsewhere: each line broken where it has to be. */
  readonly fit: (text: string) => string;
}

export function openScreen({ colour, columns = COLUMNS, write, slow }: Terminal): Screen {
  const { dim, good, bad, accent } = paint(colour);
  const width = Math.max(MIN_COLUMNS, columns);
  const tints = new Map([
    ["✓", good],
    ["✗", bad],
    ["↩", bad],
    ["→", accent],
  ]);
  let speaker = "";
  const fit = (text: string): string => wrap(text, width, HANG);
  return {
    fit,
    write: (text = "") => {
      speaker = "";
      write(`${fit(text)}\n`);
    },
    say: (who, text) => {
      if (slow) sleep(PAUSE_MS);
      const name = dim((who === speaker ? "" : who).padEnd(NAME_WIDTH));
      const tint = tints.get(text.charAt(0)) ?? ((plain: string) => plain);
      const [first = "", ...rest] = wrap(text, width - NAME_WIDTH, 2).split("\n");
      write(`${name}${tint(first)}\n`);
      for (const line of rest) write(`${" ".repeat(NAME_WIDTH)}${tint(line)}\n`);
      speaker = who;
    },
  };
}
