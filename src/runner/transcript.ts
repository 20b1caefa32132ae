import { isObject } from "../text/schema.ts";
import { clean, oneLine } from "../text/template.ts";

/** A piece of what an agent did. `more`: it goes on with the piece before. */
interface Piece {
  readonly kind: "text" | "thought" | "tool" | "result" | "error" | "other";
  readonly text: string;
  readonly more?: true;
}

const MAX_LINE = 400;
const RESULT_LINES = 4;

/** An agent's transcript as people read it, whatever agent it was. What is not known is shown as it is, in a line. */
export function renderTranscript(lines: readonly string[]): string[] {
  const pieces: Piece[] = [];
  for (const piece of lines.flatMap(readLine)) {
    const last = pieces.at(-1);
    if (piece.more === true && last?.kind === piece.kind)
      pieces.splice(-1, 1, { ...last, text: last.text + piece.text });
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

type Raw = Readonly<Record<string, unknown>>;

function readLine(line: string): Piece[] {
  if (line.trim() === "") return [];
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [{ kind: "other", text: line }];
  }
  if (!isObject(value)) return [{ kind: "other", text: line }];
  return (
    readClaude(value) ??
    readCodex(value) ??
    readCopilot(value) ??
    readProtocol(value) ?? [{ kind: "other", text: describe(value, line) }]
  );
}

const object = (value: unknown): Raw => (isObject(value) ? value : {});
const list = (value: unknown): readonly Raw[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** A tool, with the one of its arguments that says most. */
function toolLine(name: string, input: unknown): string {
  const given = object(input);
  const telling = [
    "command",
    "file_path",
    "path",
    "pattern",
    "query",
    "url",
    "description",
    "prompt",
  ];
  const key = telling.find((one) => typeof given[one] === "string");
  const value = key === undefined ? given : given[key];
  if (typeof input === "string") return `${name} ${input}`;
  return `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`.replace(
    / \{\}$/,
    "",
  );
}

/** Text, or parts that have text. */
const textIn = (value: unknown): string =>
  typeof value === "string"
    ? value
    : list(value)
        .map((part) => text(part["text"]))
        .join("\n");

/** Claude Code's stream-json; Qwen Code's has the same shape. */
function readClaude(line: Raw): Piece[] | undefined {
  const { type, message } = line;
  if (type === "assistant" || type === "user") {
    const parts = object(message)["content"];
    if (typeof parts === "string")
      return [{ kind: type === "user" ? "result" : "text", text: parts }];
    return list(parts).flatMap((part): Piece[] => {
      if (part["type"] === "text")
        return [{ kind: type === "user" ? "result" : "text", text: text(part["text"]) }];
      if (part["type"] === "thinking") return [{ kind: "thought", text: text(part["thinking"]) }];
      if (part["type"] === "tool_use")
        return [{ kind: "tool", text: toolLine(text(part["name"]), part["input"]) }];
      if (part["type"] !== "tool_result") return [];
      const kind = part["is_error"] === true ? "error" : "result";
      return [{ kind, text: textIn(part["content"]) }];
    });
  }
  if (type === "result" && "subtype" in line) {
    const isError = line["is_error"] === true;
    return isError ? [{ kind: "error", text: text(line["result"]) || text(line["subtype"]) }] : [];
  }
  return type === "system" && line["subtype"] === "init" ? [] : undefined;
}

/** `codex exec --json` */
function readCodex(line: Raw): Piece[] | undefined {
  const type = text(line["type"]);
  if (type === "turn.failed" || type === "error")
    return [
      { kind: "error", text: text(object(line["error"])["message"]) || text(line["message"]) },
    ];
  if (/^(?:thread\.started|turn\.(?:started|completed)|item\.updated)$/.test(type)) return [];
  if (type !== "item.started" && type !== "item.completed") return undefined;
  const item = object(line["item"]);
  const isEnd = type === "item.completed";
  switch (item["type"]) {
    case "agent_message":
      return isEnd ? [{ kind: "text", text: text(item["text"]) }] : [];
    case "reasoning":
      return isEnd ? [{ kind: "thought", text: text(item["text"]) }] : [];
    case "command_execution": {
      if (!isEnd) return [{ kind: "tool", text: text(item["command"]) }];
      const failed = typeof item["exit_code"] === "number" && item["exit_code"] !== 0;
      const exit: Piece[] = failed
        ? [{ kind: "error", text: `exit ${String(item["exit_code"])}` }]
        : [];
      return [{ kind: "result", text: text(item["aggregated_output"]) }, ...exit];
    }
    case "file_change": {
      const files = list(item["changes"]).map((one) => `${text(one["kind"])} ${text(one["path"])}`);
      return isEnd ? [{ kind: "tool", text: files.join(", ") }] : [];
    }
    case "error":
      return isEnd ? [{ kind: "error", text: text(item["message"]) }] : [];
    default:
      return isEnd ? [{ kind: "other", text: describe(item, JSON.stringify(item)) }] : [];
  }
}

/** `copilot --output-format json` */
function readCopilot(line: Raw): Piece[] | undefined {
  const type = text(line["type"]);
  const data = object(line["data"]);
  switch (type) {
    case "assistant.message":
      return [{ kind: "text", text: text(data["content"]) }];
    case "assistant.message_delta":
    case "assistant.reasoning_delta":
      return [];
    case "tool.execution_start":
      return [{ kind: "tool", text: toolLine(text(data["toolName"]), data["arguments"]) }];
    case "tool.execution_complete": {
      const result = object(data["result"]);
      const said = textIn(result["content"]) || text(object(data["error"])["message"]);
      return [{ kind: data["success"] === false ? "error" : "result", text: said }];
    }
    case "session.error":
      return [{ kind: "error", text: text(data["message"]) || text(data["errorType"]) }];
    default:
      return undefined;
  }
}

/** The Agent Client Protocol: JSON-RPC, with the updates of a session as they come. */
function readProtocol(line: Raw): Piece[] | undefined {
  if (!("jsonrpc" in line) && !("sessionUpdate" in line)) return undefined;
  const error = object(line["error"]);
  if ("message" in error) return [{ kind: "error", text: text(error["message"]) }];
  const update = "sessionUpdate" in line ? line : object(object(line["params"])["update"]);
  switch (update["sessionUpdate"]) {
    case "agent_message_chunk":
      return [{ kind: "text", text: text(object(update["content"])["text"]), more: true }];
    case "agent_thought_chunk":
      return [{ kind: "thought", text: text(object(update["content"])["text"]), more: true }];
    case "tool_call":
      return [{ kind: "tool", text: text(update["title"]) || text(update["kind"]) }];
    case "tool_call_update": {
      if (update["status"] !== "completed" && update["status"] !== "failed") return [];
      const said = list(update["content"])
        .map((one) => text(object(one["content"])["text"]))
        .join("\n");
      return [
        {
          kind: update["status"] === "failed" ? "error" : "result",
          text: said || (update["status"] === "failed" ? "failed" : ""),
        },
      ];
    }
    default:
      return [];
  }
}

const describe = (value: Raw, line: string): string => {
  const said = [value["message"], value["text"], value["content"], value["note"]]
    .map(text)
    .find(Boolean);
  const type = text(value["type"]) || text(value["kind"]) || text(value["method"]);
  return said === undefined ? line : [type, said].filter(Boolean).join(": ");
};
