import {
  approve as approveRun,
  awaitApproval as wait,
  pauseRun,
} from "../../../../engine/pause-run.ts";
import { isRunTree } from "../../../../engine/run-trees.ts";
import { whatNext } from "../../../../engine/what-next.ts";
import type { Question } from "../../../../run/agreement.ts";
import { shownCommand } from "../../../../run/claim/verification.ts";
import { quoteName } from "../../../../text/quote.ts";
import { SHELL_PROGRAM } from "../../../../text/wording.ts";
import { stringOption } from "../../arguments.ts";
import type { Command } from "../../command.ts";
import { specAtWork, specOf } from "../../named-spec.ts";
import { goesOn } from "../../what-follows.ts";

export const pause: Command = {
  summary: "let the agent stop at the end of its turn; nothing is lost",
  run(context, input) {
    const spec = specAtWork(context, input);
    const changed = pauseRun(context, spec);
    const resume = !isRunTree(spec)
      ? spec.project.layout.voice.command("resume")
      : `${SHELL_PROGRAM} watch`;
    return {
      text: `Paused. The agent may stop now; ${resume} continues.`,
      json: { spec: spec.name, event: "paused", changed },
    };
  },
};

export const awaitApproval: Command = {
  summary: "the user has to decide something; the loop waits",
  options: { reason: { value: "text", summary: "what they are asked" } },
  run(context, input) {
    const spec = specOf(context, input);
    const changed = wait(context, spec, stringOption(input, "reason"));
    return {
      text: "The loop waits for the user. Ask them and end your turn; it continues when they type the command that approves.",
      json: { spec: spec.name, event: "awaiting", changed },
    };
  },
};

export const approve: Command = {
  summary: "approve what the loop waits for, and the Verify commands that it showed you",
  args: ["[spec]"],
  details: "Only for the user: typed as a slash command in the client, or at a terminal.",
  async run(context, input) {
    const spec = specAtWork(context, input, input.args[0]);
    const { changed, agreed } = approveRun(context, spec);
    const next = (await whatNext(context, spec)) ?? goesOn(context, spec);
    const said = changed || agreed.length > 0 ? "Approved." : "Nothing waited for your approval.";
    return {
      text: `${[...describe(agreed), said].join(" ")}\n${next}`,
      json: { spec: spec.name, event: "approved", changed },
    };
  },
};

function describe(agreed: readonly Question[]): string[] {
  const commands = new Set(agreed.flatMap((question) => question.commands.map(shownCommand)));
  const gone = agreed.filter((question) => question.commands.length === 0);
  return [
    ...(commands.size === 0 ? [] : [`Verify may now run ${[...commands].join(", ")}.`]),
    ...gone.map(
      ({ task, isLost }) =>
        `${quoteName(task)} ${isLost === true ? "is no longer part of the plan" : "goes without a Verify"}.`,
    ),
  ];
}
