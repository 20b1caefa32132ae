/** Colours for a terminal; plain text for pipes, `NO_COLOR` and dumb terminals. */
export type Paint = Readonly<
  Record<"bold" | "dim" | "good" | "bad" | "warn" | "accent", (text: string) => string>
>;

const code = (on: boolean, start: number, end: number) => (text: string) =>
  on ? `\u001b[${start}m${text}\u001b[${end}m` : text;

export const paint = (on: boolean): Paint => ({
  bold: code(on, 1, 22),
  dim: code(on, 2, 22),
  good: code(on, 32, 39),
  bad: code(on, 31, 39),
  warn: code(on, 33, 39),
  accent: code(on, 36, 39),
});

export function wantsColour(
  isTerminal: boolean,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (env["NO_COLOR"]) return false;
  if (env["FORCE_COLOR"] && env["FORCE_COLOR"] !== "0") return true;
  return isTerminal && env["TERM"] !== "dumb";
}
