import { isObject } from "../../text/schema.ts";

/** A piece of what an agent did. `more`: it continues the previous piece. */
export interface Piece {
  readonly kind: "text" | "thought" | "tool" | "result" | "error" | "other";
  readonly text: string;
  readonly more?: true;
}

type Raw = Readonly<Record<string, unknown>>;

/** What a line of any agent's output says. An unknown line is shown as a single line. */
export function readLine(line: string): Piece[] {
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
    readProtocol(value) ??
    readDemo(value) ?? [{ kind: "other", text: describe(value) || line }]
  );
}

const object = (value: unknown): Raw => (isObject(value) ? value : {});
const list = (value: unknown): readonly Raw[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** A tool call with its most telling argument. */
function toolLine(name: string, input: unknown): string {
  if (typeof input === "string") return `${name} ${input}`;
  const argument = mainArgument(input) ?? JSON.stringify(object(input));
  return `${name} ${argument}`.replace(/ \{\}$/, "");
}

const MAIN_ARGUMENTS = [
  "command",
  "file_path",
  "path",
  "pattern",
  "query",
  "url",
  "description",
  "prompt",
];

const mainArgument = (input: unknown): string | undefined =>
  MAIN_ARGUMENTS.map((key) => text(object(input)[key])).find(Boolean);

/** A string, or the text of a list of parts. */
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
  if (type === "result" && "exitCode" in line) return [];
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
    default:
      return isEnd ? [{ kind: "other", text: describe(item) }] : [];
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
    case "session.info":
    case "model.call_failure":
      return [{ kind: "other", text: describe({ type, ...data }) }];
    default:
      // It also reports its internal steps.
      return /^(?:session|user|assistant|model|tool)\./.test(type) ? [] : undefined;
  }
}

/** The Agent Client Protocol: JSON-RPC messages with a session's updates. */
function readProtocol(line: Raw): Piece[] | undefined {
  if (!("jsonrpc" in line) && !("sessionUpdate" in line)) return undefined;
  const error = object(line["error"]);
  if ("message" in error) return [{ kind: "error", text: text(error["message"]) }];
  const update = "sessionUpdate" in line ? line : object(object(line["params"])["update"]);
  switch (update["sessionUpdate"]) {
    case "agent_message_chunk": {
      const said = text(object(update["content"])["text"]);
      // Gemini CLI sends this first.
      return said.startsWith("[MODE_UPDATE]") ? [] : [{ kind: "text", text: said, more: true }];
    }
    case "agent_thought_chunk":
      return [{ kind: "thought", text: text(object(update["content"])["text"]), more: true }];
    case "tool_call":
      return [{ kind: "tool", text: titleOf(update) }];
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

/** Some agents put the command in the title, others only the name of the tool. */
function titleOf({ title, kind, rawInput }: Raw): string {
  const name = text(title) || text(kind);
  return name.includes(" ") || mainArgument(rawInput) === undefined
    ? name
    : toolLine(name, rawInput);
}

/** The built-in agent. */
function readDemo(line: Raw): Piece[] | undefined {
  switch (line["type"]) {
    case "usage":
      return [];
    case "tool":
      return [{ kind: "tool", text: text(line["text"]) }];
    case "text":
    case "end":
      return [{ kind: "text", text: text(line["text"]) }];
    default:
      return undefined;
  }
}

const MAX_FACTS = 6;

/** Any other line: its type and its text, or else some of its fields. */
function describe(value: Raw): string {
  const said = [value["message"], value["text"], value["content"], value["note"]]
    .map(text)
    .find(Boolean);
  const names = [value["type"] ?? value["kind"] ?? value["method"], value["subtype"]].map(text);
  const name = names.filter(Boolean).join(" ");
  if (said !== undefined) return name === "" ? said : `${name}: ${said}`;
  const facts = Object.entries(value)
    .flatMap(([key, one]) => (isObject(one) ? Object.entries(one) : [[key, one] as const]))
    .filter(
      ([key, one]) =>
        !/^(?:type|kind|subtype|uuid|.*_?id|.*Id|timestamp)$/.test(key) && isScalar(one),
    )
    .slice(0, MAX_FACTS);
  return `${name} ${facts.map(([key, one]) => `${key} ${String(one)}`).join(", ")}`.trim();
}

const isScalar = (value: unknown): boolean =>
  ["string", "number", "boolean"].includes(typeof value);
