import type { Agreement, Question } from "./agreement.ts";
import type { Outcome } from "./decision.ts";
import { brand, type Layout, slash } from "../layouts/layout.ts";

/** Longer ones cannot be shown whole, and what is not shown is not agreed to. */
export const MAX_SHOWN = 200;

/** What the user is asked about a task's Verify: made from our own record, never from the state. */
export function askAbout(layout: Layout, { task, commands }: Question): string {
  const approve = slash(layout, "approve");
  if (commands.length === 0) return `${task} has lost its Verify; ${approve} does without it`;
  const shown = commands.map((command) => command.replace(/\s+/g, " ").trim());
  return shown.some((command) => command.length > MAX_SHOWN)
    ? `${task} has a Verify that you have not agreed to, and it is too long to show here: read it in tasks.md; ${slash(layout, "implement")} agrees to the list as it is`
    : `${task} has a Verify that you have not agreed to: ${shown.map((command) => `\`${command}\``).join(", ")}; ${approve} allows it`;
}

/** What the user agreed to, or is asked, belongs to the line: the state, which an agent can edit, has no say in it. */
export function withAgreement(
  layout: Layout,
  line: string,
  outcome: Outcome,
  agreed: Agreement | undefined,
): string {
  if (agreed === undefined) return line;
  const { commands, pending = [] } = agreed;
  if (outcome !== "awaiting")
    return `${line}; ${commands.length === 1 ? "its 1 Verify command is" : `its ${commands.length} Verify commands are`} fixed now`;
  const questions = pending.map((question) => askAbout(layout, question)).join("; ");
  return pending.length === 0 ? line : `${brand(layout)}: waits for you: ${questions}`;
}
