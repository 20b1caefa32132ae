import type { Edition } from "../layouts/layout.ts";
import { fill } from "../text/template.ts";
import qa from "./agents/qa-engineer.md";
import executor from "./agents/spec-executor.md";
import { layoutWords } from "./layout-words.ts";
import { renderRole } from "./roles.ts";

const WORKERS: Readonly<Record<string, string>> = { "spec-executor": executor, "qa-engineer": qa };

/** What an agent that we start ourselves is told about its part, besides its orders. */
export function renderInstructions(layout: Edition, type: string): string {
  const own = WORKERS[type];
  if (own === undefined) return renderRole(layout, type);
  return fill(own.replace(/^---\n[\s\S]*?\n---\n/, ""), layoutWords(layout)).trim();
}
