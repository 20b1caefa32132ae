import { clean, oneLine } from "../../text/template.ts";
import { hear, NOTHING_HEARD as NO_UPDATES, unreported } from "../acp/updates.ts";
import * as claude from "../claude/read.ts";
import * as codex from "../codex/read.ts";
import * as copilot from "../copilot/read.ts";
import * as demo from "../demo/read.ts";
import { parseFields, textOf } from "../json.ts";
import { other, type Said, type Step } from "../reading.ts";

const MAX_LINE = 400;
const RESULT_LINES = 4;

/** Any agent's transcript, for people to read. Unknown lines are shown as they are. */
export function renderTranscript(lines: readonly string[]): string[] {
  const pieces: Piece[] = [];
  for (const piece of readLines(lines).flatMap(pieceOf)) {
    const last = pieces.at(-1);
    if (piece.more === true && last?.kind === piece.kind)
      pieces.splice(-1, 1, { ...last, text: last.text + piece.text });
    // An error often comes twice, as text and as an error.
    else if (piece.kind === "error" && last?.text.trim() === piece.text.trim())
      pieces.splice(-1, 1, piece);
    else if (piece.text.trim() !== "") pieces.push(piece);
  }
  return pieces.flatMap(renderPiece);
}

/** Each line as the agent that prints such lines is read while it works. */
function readLines(lines: readonly string[]): Said[] {
  const readers = [
    openReader(/^(?:thread|turn|item)\.|^error$/, codex.beginHeard(0), codex.readLine),
    openReader(/^(?:session|user|assistant|model|tool)\./, copilot.beginHeard(0), copilot.readLine),
    openReader(/^(?:text|tool|usage|end)$/, demo.NOTHING_HEARD, demo.readLine),
    openReader(/^/, claude.NOTHING_HEARD, claude.readLine),
  ];
  let updates = NO_UPDATES;
  const said = lines.flatMap((line): readonly Said[] => {
    const fields = parseFields(line);
    if (fields === undefined) return [other(fields, line)];
    const type = textOf(fields["type"]) ?? "";
    if (!("jsonrpc" in fields)) return readers.find((one) => one.type.test(type))?.read(line) ?? [];
    const step = hear(updates, fields);
    updates = step.state;
    return step.said;
  });
  return [...said, ...unreported(updates)];
}

/** `type` tells its lines from those of other agents. */
function openReader<State>(
  type: RegExp,
  begin: State,
  readLine: (state: State, line: string) => Step<State>,
) {
  let state = begin;
  const read = (line: string): readonly Said[] => {
    const step = readLine(state, line);
    state = step.state;
    return step.said;
  };
  return { type, read };
}

interface Piece {
  readonly kind: "text" | "tool" | "thought" | "result" | "error" | "other";
  readonly text: string;
  readonly more?: true;
}

/** What is only for the run is left out. */
function pieceOf(said: Said): readonly Piece[] {
  switch (said.kind) {
    case "tool":
      return [{ kind: "tool", text: said.title }];
    case "text":
    case "thought":
    case "result":
    case "error":
    case "other":
      return [said];
    default:
      return [];
  }
}

function renderPiece({ kind, text }: Piece): string[] {
  const lines = clean(text)
    .split("\n")
    .map((line) => oneLine(line, MAX_LINE))
    .filter((line) => line !== "");
  switch (kind) {
    case "text":
      return lines;
    case "tool":
      return [`→ ${oneLine(text, MAX_LINE)}`];
    case "error":
      return [`✗ ${oneLine(text, MAX_LINE)}`];
    case "other":
      return [`· ${oneLine(text, MAX_LINE)}`];
    case "thought":
    case "result": {
      const more = lines.length - RESULT_LINES;
      return [
        ...lines.slice(0, RESULT_LINES).map((line) => `    ${line}`),
        ...(more > 0 ? [`    … ${more} more lines`] : []),
      ];
    }
  }
}
