import type { Edition } from "../layouts/layout.ts";
import type { Design } from "../tasks/tags.ts";
import { quoteName } from "../text/quote.ts";
import { showCommand } from "../text/template.ts";
import type { Agreement, Question } from "./agreement.ts";
import type { Outcome } from "./decision.ts";

/** Longer commands cannot be shown in full, and the user cannot agree to what is not shown. */
export const MAX_SHOWN = 200;

/**
 * What the user is asked about Verify commands: built from our own record, never from the state. Tasks with the same ones,
 * such as a fix and what it fixes, are named together.
 */
export function askAbout(layout: Edition, questions: readonly Question[]): string {
  const keyOf = ({ task, commands }: Question): string =>
    JSON.stringify(commands.length === 0 ? task : commands);
  return [...new Set(questions.map(keyOf))]
    .map((key) =>
      askOnce(
        layout,
        questions.filter((one) => keyOf(one) === key),
      ),
    )
    .join("; ");
}

function askOnce({ voice }: Edition, all: readonly Question[]): string {
  const [{ commands, isLost }] = all as [Question];
  const tasks = all
    .map(({ task, design }) => quoteName(task) + (design === undefined ? "" : ` ${tagOf(design)}`))
    .join(" and ");
  const [approve, implement] = [voice.command("approve"), voice.command("implement")];
  if (commands.length === 0) {
    const what = isLost === true ? "is no longer in tasks.md" : "no longer has a Verify";
    return `${tasks} ${what}; ${approve} accepts that`;
  }
  const has = `${tasks} ${all.length > 1 ? "have" : "has"} a Verify that you have not approved`;
  const shown = commands.map((command) => showCommand(command, Infinity));
  return shown.some((command) => command.length > MAX_SHOWN)
    ? `${has}, too long to show here: read it in tasks.md; ${implement} approves the whole list`
    : `${has}: ${shown.map((command) => `\`${command}\``).join(", ")}; ${approve} approves it, ${implement} the whole list`;
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
  return pending.length === 0
    ? line
    : `${layout.voice.brand}: waiting for you: ${askAbout(layout, pending)}`;
}
