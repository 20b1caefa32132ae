/** What a run of a Verify command has to look like. */
export type Expectation =
  | { readonly kind: "exit"; readonly code: number }
  /** Any exit code but 0, as long as the command was found and ran. */
  | { readonly kind: "fails" }
  /** No output: grep's exit 1 is what is meant, an error is not. */
  | { readonly kind: "silent" }
  /** The output, or its last line, is exactly this. */
  | { readonly kind: "prints"; readonly text: string }
  | { readonly kind: "contains"; readonly text: string }
  /** The output is a number. */
  | { readonly kind: "number"; readonly is: Comparison; readonly value: number }
  /** The number of lines printed. */
  | { readonly kind: "lines"; readonly is: Comparison; readonly value: number }
  /** Not judged: what is said about it may turn the meaning round. */
  | { readonly kind: "any" };

export type Comparison = ">=" | "<=" | ">" | "<" | "=";

export const EXIT_0: Expectation = { kind: "exit", code: 0 };

export interface Run {
  /** Null for a command that was killed. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Why a run does not meet what is expected; undefined if it does. */
export function judgeRun(expects: Expectation, run: Run): string | undefined {
  const { exitCode } = run;
  if (expects.kind === "any") return undefined;
  if (exitCode === null) return "it was killed";
  if (exitCode === 126 || exitCode === 127) return `it could not be run (exit code ${exitCode})`;
  const ended = `it ended with exit code ${exitCode}`;
  const out = run.stdout.trim();
  // grep ends with 1 when it finds nothing, even if it prints 0. Messages tell an error from that.
  const isError = exitCode > 1 || (exitCode === 1 && run.stderr.trim() !== "");
  switch (expects.kind) {
    case "exit":
      return exitCode === expects.code ? undefined : `${ended}, not ${expects.code}`;
    case "fails":
      return exitCode === 0 ? "it passed, and should fail" : undefined;
    case "silent":
      if (out !== "") return `it should print nothing, and printed ${show(out)}`;
      if (isError) return `it should print nothing, but ${ended}`;
      return run.stderr.trim() === "" ? undefined : `it printed an error: ${show(run.stderr)}`;
    case "prints":
      if (exitCode !== 0) return ended;
      return isText(out, expects.text)
        ? undefined
        : `it should print ${show(expects.text)}, and printed ${show(out)}`;
    case "contains":
      if (exitCode !== 0) return ended;
      return out.includes(expects.text)
        ? undefined
        : `its output should contain ${show(expects.text)}, and was ${show(out)}`;
    case "number": {
      if (isError) return ended;
      const numbers = readNumbers(out);
      if (numbers === undefined) return `it should print a number, and printed ${show(out)}`;
      const wrong = numbers.find((number) => !compare(number, expects));
      return wrong === undefined
        ? undefined
        : `it should print ${formatNumber(expects)}, and printed ${wrong}`;
    }
    case "lines": {
      if (isError) return ended;
      const lines = out === "" ? 0 : out.split("\n").filter((line) => line.trim() !== "").length;
      return compare(lines, expects)
        ? undefined
        : `it should print ${formatLines(expects)}, and printed ${lines}`;
    }
  }
}

/** In words, as they follow a command: "should print nothing"; empty for exit 0, which nobody has to say. */
export function formatExpectation(expects: Expectation): string {
  switch (expects.kind) {
    case "exit":
      return expects.code === 0 ? "" : `should exit with ${expects.code}`;
    case "fails":
      return "should fail";
    case "silent":
      return "should print nothing";
    case "prints":
      return `should print ${JSON.stringify(expects.text)}`;
    case "contains":
      return `should print something with ${JSON.stringify(expects.text)}`;
    case "number":
      return `should print ${formatNumber(expects)}`;
    case "lines":
      return `should print ${formatLines(expects)}`;
    case "any":
      return "not judged";
  }
}

interface Bound {
  readonly is: Comparison;
  readonly value: number;
}

const compare = (given: number, { is, value }: Bound): boolean =>
  ({
    ">=": given >= value,
    "<=": given <= value,
    ">": given > value,
    "<": given < value,
    "=": given === value,
  })[is];

const formatNumber = ({ is, value }: Bound): string =>
  is === "=" ? String(value) : `a number ${is} ${value}`;

const formatLines = ({ is, value }: Bound): string =>
  `${is === "=" ? "" : `${is} `}${value} ${value === 1 ? "line" : "lines"}`;

/** Every number of the output; `3 a` of `wc -l a` and `a:1` of `grep -c x a b` are numbers too. */
function readNumbers(out: string): number[] | undefined {
  const found = out
    .split("\n")
    .map((line) => /^(?:.*:|\s*)(-?\d+(?:\.\d+)?)(?:\s+\S+)?$/.exec(line.trim())?.[1]);
  return found.includes(undefined) ? undefined : found.map(Number);
}

/** Authors quote what a command prints, with or without the quotes that it prints itself. */
function isText(out: string, text: string): boolean {
  // Python writes True.
  if (/^(?:true|false|null)$/i.test(text)) return out.toLowerCase() === text.toLowerCase();
  const wanted = unquote(text);
  return unquote(out) === wanted || unquote(out.slice(out.lastIndexOf("\n") + 1).trim()) === wanted;
}

const unquote = (text: string): string =>
  text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;

const show = (text: string): string => {
  const line = text.trim().slice(0, 120).replace(/\s+/g, " ");
  return line === "" ? "nothing" : JSON.stringify(text.length > 120 ? `${line}…` : line);
};
