import { clean, oneLine } from "../../text/template.ts";
import { type Piece, readLine } from "./lines.ts";

const MAX_LINE = 400;
const RESULT_LINES = 4;

/** Any agent's transcript, for people to read. Unknown lines are shown as they are. */
export function renderTranscript(lines: readonly string[]): string[] {
  const pieces: Piece[] = [];
  for (const piece of lines.flatMap(readLine)) {
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
