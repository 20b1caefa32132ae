/** One character of a terminal's screen, as it looks. */
export interface Cell {
  readonly text: string;
  readonly style: Style;
}

export interface Style {
  readonly fg?: string;
  readonly bg?: string;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly inverse?: boolean;
}

// eslint-disable-next-line no-control-regex -- escape sequences are what this file is about
const SEQUENCE = /\u001b\[([\d;:]*)m|\u001b[()][A-Z0-9]|[\u000e\u000f]/g;

/** The lines that `tmux capture-pane -e` prints; a style continues across line ends. */
export function parseScreen(text: string): Cell[][] {
  let style: Style = {};
  return text.split("\n").map((line) => {
    const cells: Cell[] = [];
    let at = 0;
    const take = (end: number): void => {
      for (const char of line.slice(at, end)) cells.push({ text: char, style });
    };
    for (const match of line.matchAll(SEQUENCE)) {
      take(match.index);
      at = match.index + match[0].length;
      if (match[1] !== undefined) style = restyle(style, match[1]);
    }
    take(line.length);
    return trimEnd(cells);
  });
}

function trimEnd(cells: readonly Cell[]): Cell[] {
  const last = cells.findLastIndex(
    ({ text, style }) => text !== " " || style.bg !== undefined || style.inverse === true,
  );
  return cells.slice(0, last + 1);
}

function restyle(style: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map(Number);
  let next: { -readonly [key in keyof Style]: Style[key] } = { ...style };
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    if (code === 0) next = {};
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 3) next.italic = true;
    else if (code === 7) next.inverse = true;
    else if (code === 22) next = { ...next, bold: false, dim: false };
    else if (code === 23) next.italic = false;
    else if (code === 27) next.inverse = false;
    else if (code === 39) delete next.fg;
    else if (code === 49) delete next.bg;
    else if (code === 38 || code === 48) {
      const isRgb = codes[i + 1] === 2;
      const colour = isRgb ? hex(codes.slice(i + 2, i + 5)) : colourOf(codes[i + 2] as number);
      next[code === 38 ? "fg" : "bg"] = colour;
      i += isRgb ? 4 : 2;
    } else if (code >= 30 && code <= 37) next.fg = colourOf(code - 30);
    else if (code >= 90 && code <= 97) next.fg = colourOf(code - 82);
    else if (code >= 40 && code <= 47) next.bg = colourOf(code - 40);
    else if (code >= 100 && code <= 107) next.bg = colourOf(code - 92);
  }
  return next;
}

/** The first sixteen are for each terminal to choose; these are easy to read on a dark ground. */
const NAMED =
  "#3b4252 #f07178 #9ece6a #e6c07b #7aa2f7 #c792ea #7dcfff #d5dae3 #7c869c #ff8b92 #b9e78a #ffd580 #9dbbff #ddb3ff #a4e1ff #ffffff".split(
    " ",
  );

function colourOf(index: number): string {
  const named = NAMED[index];
  if (named !== undefined) return named;
  if (index >= 232) return hex([0, 0, 0].map(() => 8 + 10 * (index - 232)));
  const level = (step: number): number => (step === 0 ? 0 : 55 + 40 * step);
  const rest = index - 16;
  return hex([Math.floor(rest / 36), Math.floor(rest / 6) % 6, rest % 6].map(level));
}

const hex = (parts: readonly number[]): string =>
  `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
