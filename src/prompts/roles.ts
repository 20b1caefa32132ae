import type { Edition } from "../layouts/layout.ts";
import { fill } from "../text/template.ts";
import architect from "./agents/architect-reviewer.md";
import proposer from "./agents/openspec/proposal-writer.md";
import productManager from "./agents/product-manager.md";
import qa from "./agents/qa-engineer.md";
import executor from "./agents/spec-executor.md";
import reviewer from "./agents/spec-reviewer.md";
import refactorer from "./agents/specum/refactor-specialist.md";
import researcher from "./agents/specum/research-analyst.md";
import triager from "./agents/specum/triage-analyst.md";
import planner from "./agents/task-planner.md";
import { layoutWords } from "./layout-words.ts";

const ROLES: Readonly<Record<string, string>> = {
  "architect-reviewer": architect,
  "product-manager": productManager,
  "proposal-writer": proposer,
  "refactor-specialist": refactorer,
  "research-analyst": researcher,
  "spec-reviewer": reviewer,
  "task-planner": planner,
  "triage-analyst": triager,
};

/** What a sub-agent of this name knows, for a main agent that does its work. */
export const renderRole = (layout: Edition, name: string): string =>
  fill((ROLES[name] ?? "").replace(/^---\n[\s\S]*?\n---\n/, ""), layoutWords(layout)).trim();

const WORKERS: Readonly<Record<string, string>> = { "spec-executor": executor, "qa-engineer": qa };

/** What an agent that we start ourselves is told about its part, besides its orders. */
export function renderInstructions(layout: Edition, type: string): string {
  const own = WORKERS[type];
  if (own === undefined) return renderRole(layout, type);
  return fill(own.replace(/^---\n[\s\S]*?\n---\n/, ""), layoutWords(layout)).trim();
}
