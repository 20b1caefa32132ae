import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readText } from "../../store/read.ts";
import { fieldsOf, numberOf, parseFields, textOf } from "../json.ts";
import { NO_TOKENS, type Tokens, type Usage, type Work } from "../port.ts";

/** It writes its usage to a file when it ends. In our container, the path would mean another folder. */
export const planUsageFile = ({ env, wrap }: Pick<Work, "env" | "wrap">): string | undefined =>
  wrap === undefined
    ? join(env["TMPDIR"] ?? tmpdir(), `smart-ralph-usage-${randomUUID()}.json`)
    : undefined;

export function takeUsageFile(path: string): Usage | undefined {
  const file = readText(path, 1 << 20);
  rmSync(path, { force: true });
  return file.kind === "ok" ? parseUsage(file.text) : undefined;
}

/** `inputTokens` includes cached tokens. */
export function parseUsage(text: string): Usage | undefined {
  const all = parseFields(text) ?? {};
  const models = Object.values(fieldsOf(all["modelMetrics"])).map(fieldsOf);
  if (models.length === 0) return undefined;
  const sum = (part: "requests" | "usage", name: string): number =>
    models.reduce((total, one) => total + (numberOf(fieldsOf(one[part])[name]) ?? 0), 0);
  const tokens: Tokens = {
    ...NO_TOKENS,
    input: sum("usage", "inputTokens"),
    cached: sum("usage", "cacheReadTokens"),
    output: sum("usage", "outputTokens"),
  };
  const model = textOf(all["currentModel"]);
  return { tokens, calls: sum("requests", "count"), ...(model === undefined ? {} : { model }) };
}
