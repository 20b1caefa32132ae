import type { Edition } from "../layouts/layout.ts";
import type { Design } from "../tasks/tags.ts";
import { quoteName } from "../text/quote.ts";
import { showCommand } from "../text/template.ts";
import type { Agreement, Question } from "./agreement.ts";
import type { Outcome } from "./decision.ts";

/** Longer commands cannot be shown in full, and the user cannot agree to what is not shown. */
export const MAX_SHOWN = 200;

/** What the user is asked about a task's Verify: built from our own record, never from the state. */
export function askAbout(
  layout: Edition,
  { task: key, commands, design, isLost }: Question,
): string {
  const task = quoteName(key) + (design === undefined ? "" : ` ${tagOf(design)}`);
  const [approve, implement] = [layout.voice.command("approve"), layout.voice.command("implement")];
  if (commands.length === 0) {
    const what = isLost === true ? "is no longer in tasks.md" : "no longer has a Verify";
    return `${task} ${what}; ${approve} accepts that`;
  }
  const shown = commands.map((command) => showCommand(command, Infinity));
  return shown.some((command) => command.length > MAX_SHOWN)
    ? `${task} has a Verify that you have not approved, too long to show here: read it in tasks.md; ${implement} approves the whole list`
    : `${task} has a Verify that you have not approved: ${shown.map((command) => `\`${command}\``).join(", ")}; ${approve} approves it, ${implement} the whole list`;
}

/** Part of what the user agrees to. */
const tagOf = (design: Design): string => `[${design.toUpperCase()}]`;

/** What the user agreed to, or is asked, comes from our record: the state, which an agent can edit, does not count. */
export function withAgreement(
  layout: Edition,
  line: string,
  outcome: Outcome,
  agreed: Agreement | undefined,
): string {
  if (agreed === undefined) return line;
  const { commands, pending = [] } = agreed;
  if (outcome !== "awaiting")
    return `${line}; ${commands.length === 1 ? "its 1 Verify command is" : `its ${commands.length} Verify commands are`} agreed now`;
  const questions = pending.map((question) => askAbout(layout, question)).join("; ");
  return pending.length === 0 ? line : `${layout.voice.brand}: waiting for you: ${questions}`;
}
