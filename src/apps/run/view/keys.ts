/** What was pressed: a character, or a named key. */
export type Key = { readonly kind: "text"; readonly text: string } | { readonly kind: Named };

type Named =
  | (typeof SEQUENCES)[keyof typeof SEQUENCES]
  | (typeof SINGLE)[keyof typeof SINGLE]
  | "escape";

const SEQUENCES = {
  "[A": "up",
  "[B": "down",
  "[C": "right",
  "[D": "left",
  OA: "up",
  OB: "down",
  OC: "right",
  OD: "left",
  "[5~": "page-up",
  "[6~": "page-down",
  "[H": "home",
  "[F": "end",
  "[1~": "home",
  "[4~": "end",
} as const;

const SINGLE = {
  "\r": "enter",
  "\n": "enter",
  "\u0003": "ctrl-c",
  // Ctrl-D: the end of input.
  "\u0004": "ctrl-c",
  "\u007f": "backspace",
  "\b": "backspace",
} as const;

const lookUp = <T extends string>(
  keys: Readonly<Record<string, T>>,
  typed: string,
): T | undefined => (Object.hasOwn(keys, typed) ? keys[typed] : undefined);

// eslint-disable-next-line no-control-regex -- what keyboards send
const PIECES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O[A-Z])|[\s\S]/gu;

/** The keys in one chunk from a terminal in raw mode. Unknown sequences are ignored. */
export function parseKeys(data: string): Key[] {
  return (data.match(PIECES) ?? []).flatMap((piece): Key[] => {
    const named = piece.startsWith("\u001b") ? nameOf(piece.slice(1)) : lookUp(SINGLE, piece);
    if (named !== undefined) return [{ kind: named }];
    // eslint-disable-next-line no-control-regex -- these are keys that mean nothing here
    return /^[\u0000-\u001f]/.test(piece) ? [] : [{ kind: "text", text: piece }];
  });
}

const nameOf = (sequence: string): Named | undefined =>
  sequence === "" ? "escape" : lookUp(SEQUENCES, sequence);
