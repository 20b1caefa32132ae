import { amendVerify } from "../../../../engine/amend-verify.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { commandFor, isInClient } from "../../../../engine/request.ts";
import { whatNext } from "../../../../engine/what-next.ts";
import { shownCommand } from "../../../../run/claim/verification.ts";
import { LIMITS } from "../../../../run/state.ts";
import { clean, oneLine } from "../../../../text/template.ts";
import { stringOption } from "../../arguments.ts";
import type { Command } from "../../command.ts";
import { specAtWork } from "../../named-spec.ts";
import { goesOn } from "../../what-follows.ts";

export const amend: Command = {
  summary: "a task's Verify is wrong: replace it, with the user's approval",
  args: ["<task>"],
  options: {
    verify: { value: "command", summary: "the command that proves the task" },
    reason: { value: "text", summary: "what is wrong with the old one" },
  },
  details: `The run waits until the user approves the new command, unless they started it with --allow-amend. At most ${LIMITS.maxAmendments} times
for a task; old and new are listed in the receipt.`,
  async run(context, input) {
    const command = clean(stringOption(input, "verify") ?? "").trim();
    const reason = oneLine(stringOption(input, "reason") ?? "", 500);
    if (command === "" || reason === "" || command.includes("\n")) {
      throw new Refusal(
        "usage",
        "amend needs --verify with a command on one line, and --reason",
        `amend 1.2 --verify 'npm test -- login' --reason 'there is no script "check"'`,
      );
    }
    const spec = specAtWork(context, input);
    const amended = amendVerify(context, spec, input.args[0] as string, command, reason);
    if (amended.kind === "refused") {
      const { task, why } = amended;
      return { ok: false, text: why, json: { task, refusal: why } };
    }
    const { amendment, copies, waits } = amended;
    const next = waits ? undefined : await whatNext(context, spec);
    const approve = commandFor(context, spec.project.layout, "approve");
    const tasks = [amendment.task, ...copies].join(" and ");
    const fact = `The Verify of ${tasks} is now ${shownCommand(amendment.new)}.`;
    return {
      text: !waits
        ? `${fact}\n${next ?? goesOn(context, spec)}`
        : isInClient(context)
          ? `${fact} It is not run until the user types ${approve}: tell them so and end your turn.`
          : `${fact} It is not run until you approve it: ${approve}`,
      json: { ...amendment, copies, waits },
    };
  },
};
