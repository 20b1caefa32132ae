import type { Cell, Style } from "./ansi.ts";

/** What a terminal showed, and for how long. */
export interface Frame {
  readonly lines: readonly (readonly Cell[])[];
  readonly seconds: number;
}

const CELL = { width: 8.4, height: 18 } as const;
const FONT = 14;
const PAD = 16;
const BAR = 34;
const INK = "#d5dae3";
const GROUND = "#14171f";

interface Picture {
  readonly title: string;
  readonly columns: number;
  readonly rows: number;
}

/**
 * A terminal as a picture. It brings its own dark ground and a border, so that it can be read on a page of either
 * colour, and it gives the position of each character, so that no font can shift the columns. With several frames it
 * moves; where nothing may move, the last frame is what one sees.
 */
export function renderSvg({ title, columns, rows }: Picture, frames: readonly Frame[]): string {
  const width = round(columns * CELL.width + 2 * PAD);
  const height = rows * CELL.height + BAR + PAD;
  const lines = new LineBook();
  const drawn = frames.map(({ lines: shown }, i) => {
    const uses = shown.map((cells, row) => lines.use(cells, row)).join("");
    return frames.length === 1 ? uses : `<g class="f" id="f${i}">${uses}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(title)}">
<title>${escape(title)}</title>
<style>text{font:${FONT}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;fill:${INK};white-space:pre}.b{font-weight:700}.d{opacity:.62}.c{shape-rendering:crispEdges}.i{font-style:italic}${motion(frames)}</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="9" fill="${GROUND}" stroke="#596273"/>
<g fill="#596273"><circle cx="20" cy="17" r="5"/><circle cx="38" cy="17" r="5"/><circle cx="56" cy="17" r="5"/></g>
<text x="${width / 2}" y="22" text-anchor="middle" class="d">${escape(title)}</text>
<defs>${lines.definitions()}</defs>
${drawn.join("\n")}
</svg>
`;
}

/** Frames share most of their lines: each is drawn once and then used. */
class LineBook {
  readonly #ids = new Map<string, string>();

  use(cells: readonly Cell[], row: number): string {
    const drawn = drawLine(cells);
    if (drawn === "") return "";
    const id = this.#ids.get(drawn) ?? `l${this.#ids.size}`;
    this.#ids.set(drawn, id);
    return `<use href="#${id}" x="${PAD}" y="${BAR + row * CELL.height}"/>`;
  }

  definitions(): string {
    return [...this.#ids].map(([drawn, id]) => `<g id="${id}">${drawn}</g>`).join("\n");
  }
}

function drawLine(cells: readonly Cell[]): string {
  let out = "";
  for (const { text, style, column } of runsOf(cells)) {
    const x = round(column * CELL.width);
    const width = round([...text].length * CELL.width);
    const { ink, ground } = coloursOf(style);
    if (ground !== undefined)
      out += `<rect x="${x}" width="${width}" height="${CELL.height}" fill="${ground}"/>`;
    if (text.trim() === "") continue;
    out += drawSign(text, x, width, ink, style) ?? drawText(text, x, width, ink, style);
  }
  return out;
}

function drawText(text: string, x: number, width: number, ink: string, style: Style): string {
  const fill = ink === INK ? "" : ` fill="${ink}" style="fill:${ink}"`;
  const length = text.length > 1 ? ` textLength="${width}"` : "";
  return `<text x="${x}" y="13"${classOf(style)}${fill}${length}>${escape(text)}</text>`;
}

/** Signs that many fonts lack, or draw with gaps between them, are drawn as shapes. */
function drawSign(
  text: string,
  x: number,
  width: number,
  ink: string,
  style: Style,
): string | undefined {
  const [char = ""] = text;
  const box = BOXES[char];
  const path = SHAPES[char];
  if (box === undefined && path === undefined && QUARTERS[char] === undefined) return undefined;
  const look = ` fill="${ink}"${classOf(style, path === undefined ? ["c"] : [])}`;
  if (box !== undefined) {
    const { y, height, opacity = 1 } = box;
    return `<rect x="${x}" y="${y}" width="${box.width ?? width}" height="${height}" fill-opacity="${opacity}"${look}/>`;
  }
  return [...text]
    .map(
      (_, i) =>
        `<path transform="translate(${round(x + i * CELL.width)})" d="${path ?? quarters(char)}"${look}/>`,
    )
    .join("");
}

const BOXES: Readonly<
  Record<string, { y: number; height: number; width?: number; opacity?: number }>
> = {
  "─": { y: 9, height: 1 },
  "█": { y: 0, height: 18 },
  "░": { y: 0, height: 18, opacity: 0.25 },
  "▎": { y: 0, height: 18, width: 2 },
};

const SHAPES: Readonly<Record<string, string>> = {
  "⎿": "M3.5 0h1.2v10h3.7v1.2h-4.9z",
  "⏵": "M1 4l7 5-7 5z",
};

/** Which quarters of the cell are filled: above left, above right, below left, below right. */
const QUARTERS: Readonly<Record<string, string>> = {
  "▀": "1100",
  "▄": "0011",
  "▌": "1010",
  "▐": "0101",
  "▘": "1000",
  "▝": "0100",
  "▖": "0010",
  "▗": "0001",
  "▛": "1110",
  "▜": "1101",
  "▙": "1011",
  "▟": "0111",
};

function quarters(char: string): string {
  const [width, height] = [CELL.width / 2, CELL.height / 2];
  return [...(QUARTERS[char] ?? "")]
    .map((bit, i) =>
      bit === "1"
        ? `M${(i % 2) * width} ${Math.floor(i / 2) * height}h${width}v${height}h-${width}z`
        : "",
    )
    .join("");
}

const classOf = ({ bold, dim, italic }: Style, more: readonly string[] = []): string => {
  const looks = [bold === true && "b", dim === true && "d", italic === true && "i", ...more];
  const names = looks.filter(Boolean);
  return names.length === 0 ? "" : ` class="${names.join(" ")}"`;
};

function coloursOf({ fg, bg, inverse }: Style): { ink: string; ground: string | undefined } {
  return inverse === true
    ? { ink: bg ?? GROUND, ground: fg ?? INK }
    : { ink: fg ?? INK, ground: bg };
}

interface Run {
  text: string;
  readonly style: Style;
  readonly column: number;
}

/** Neighbours that look alike. A sign that a font may lack is on its own, so that its width shifts nothing else. */
function runsOf(cells: readonly Cell[]): Run[] {
  const runs: Run[] = [];
  for (const [column, { text, style }] of cells.entries()) {
    const last = runs.at(-1);
    const joins = isAscii(text) ? isAscii(last?.text ?? "") : text === last?.text[0];
    if (last !== undefined && joins && JSON.stringify(last.style) === JSON.stringify(style))
      last.text += text;
    else runs.push({ text, style, column });
  }
  return runs;
}

const isAscii = (text: string): boolean => /^[\u0020-\u007e]+$/.test(text);

function motion(frames: readonly Frame[]): string {
  if (frames.length === 1) return "";
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  let at = 0;
  const rules = frames.map(({ seconds }, i) => {
    const from = percent(at / total);
    at += seconds;
    const until = i === frames.length - 1 ? "" : `${percent(at / total)}{visibility:hidden}`;
    const before = i === 0 ? "" : "0%{visibility:hidden}";
    return `@keyframes k${i}{${before}${from}{visibility:visible}${until}}#f${i}{animation:k${i} ${round(total)}s step-end infinite}`;
  });
  return `.f{visibility:hidden}#f${frames.length - 1}{visibility:visible}@media (prefers-reduced-motion:no-preference){${rules.join("")}}`;
}

const percent = (part: number): string => `${round(100 * part)}%`;
const round = (value: number): number => Math.round(value * 100) / 100;

const escape = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
