import { localTime } from "../../engine/local-time.ts";
import { clean } from "../../text/template.ts";
import { wrap } from "./columns.ts";
import type { Context } from "./command.ts";
import { repeat } from "./live.ts";

/** What there is to see at one moment. */
export interface View {
  /** For a screen, on as many lines as it takes. */
  readonly screen: string;
  /** The same in one line. */
  readonly line: string;
  /** Whether anything can still change. */
  readonly isOver: boolean;
  /** What becomes of the run when the user leaves. */
  readonly leaving: string;
}

const SCREEN = {
  /** Another screen, so that what was there before comes back; no cursor. */
  enter: "\u001b[?1049h\u001b[?25l",
  leave: "\u001b[?25h\u001b[?1049l",
  home: "\u001b[H",
  endOfLine: "\u001b[K",
  below: "\u001b[J",
} as const;

/** Shows what `look` sees until it is over, or the user leaves. Returns the last view. */
export async function watch(context: Context, look: () => View): Promise<View> {
  let view = look();
  const isScreen = context.width !== undefined;
  const show = isScreen ? draw(context) : tellChanges(context);
  // A screen that would be gone at once only flickers.
  if (isScreen && view.isOver) return view;
  if (isScreen) context.write(SCREEN.enter);
  try {
    await repeat(() => {
      view = look();
      return show(view) && !view.isOver;
    });
  } finally {
    if (isScreen) context.write(SCREEN.leave);
  }
  return view;
}

/** The whole screen, whenever something on it, or its size, has changed. */
function draw(context: Context): (view: View) => boolean {
  let shown = "";
  return ({ screen, leaving }) => {
    const { columns = 80, rows = 24 } = process.stdout;
    const lines = wrap(`${screen}\n\nq leaves; ${leaving}`, columns).split("\n");
    // The last row stays empty: text that ends in its last column would scroll the screen.
    const fitting = lines.slice(0, Math.max(1, rows - 1));
    const frame = fitting.map((line) => `${line}${SCREEN.endOfLine}`).join("\r\n");
    if (frame === shown) return true;
    shown = frame;
    return context.write(`${SCREEN.home}${frame}${SCREEN.below}`);
  };
}

/** In a pipe: a line for each change. */
function tellChanges(context: Context): (view: View) => boolean {
  let said = "";
  return ({ line }) => {
    if (line === said) return true;
    said = line;
    const { at } = context.now();
    return context.write(`${localTime(at, at)}  ${clean(line)}\n`);
  };
}
