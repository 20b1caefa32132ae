import { slash } from "../../../../layouts/layout.ts";
import { agreeToPending } from "../../../../run/agreement.ts";
import { MAX_SHOWN } from "../../../../run/agreement-lines.ts";
import { shownCommand } from "../../../../run/claim/verification.ts";
import type { Spec } from "../../../../store/spec.ts";
import { readAgreement, writeAgreement } from "../../../../store/vault.ts";
import { requireUser } from "../../../../engine/authority.ts";
import { commandAfter, phaseNamed } from "../../../../layouts/phases.ts";
import type { Raw } from "../../../../run/state.ts";
import { stringOption } from "../../arguments.ts";
import { CliError, type Command, type Context, EXIT, type Result } from "../../command.ts";
import { openSpec } from "../../../../engine/resolve-spec.ts";
import { type Run, withRun } from "../../../../engine/run.ts";

export const pause: Command = {
  name: "pause",
  summary: "let the agent stop at the end of its turn; nothing is lost",
  group: "run",
  run: (context, input) =>
    set(
      context,
      openSpec(context, input),
      "paused",
      { paused: true },
      ({ spec }) =>
        `Paused. The agent may stop now; ${slash(spec.project.layout, "resume")} goes on.`,
    ),
};

export const awaitApproval: Command = {
  name: "await-approval",
  summary: "the user has to decide something; the loop waits",
  group: "agent",
  options: { reason: { type: "string", value: "text", summary: "what they are asked" } },
  run(context, input) {
    const reason = stringOption(input, "reason");
    const wish = {
      awaitingApproval: true,
      ...(reason === undefined ? {} : { approvalReason: reason }),
    };
    return set(
      context,
      openSpec(context, input),
      "awaiting",
      wish,
      () =>
        "The loop waits for the user. Ask them and end your turn; it goes on when they type the command that approves.",
    );
  },
};

export const approve: Command = {
  name: "approve",
  summary: "yes to what the loop waits for, and to the Verify commands that it showed you",
  args: ["[spec]"],
  group: "run",
  details: "For the user alone: typed after a slash in the client, or at a terminal.",
  run(context, input) {
    const spec = openSpec(context, input, input.args[0]);
    requireUser(context, spec, "approve");
    return set(
      context,
      spec,
      "approved",
      { awaitingApproval: false, approvalReason: undefined },
      (run) => `${agreeToShown(run)}Approved. End your turn; the loop goes on.`,
    );
  },
};

/** Yes to what the user was shown, and to nothing that was put in its place since. */
function agreeToShown({ spec }: Run): string {
  const agreed = readAgreement(spec);
  const pending = agreed?.pending ?? [];
  if (agreed === undefined || pending.length === 0) return "";
  const long = pending.find(({ commands }) => commands.some((one) => one.length > MAX_SHOWN));
  if (long !== undefined) {
    const { layout } = spec.project;
    throw new CliError(
      EXIT.refused,
      `the Verify of ${long.task} is too long to be shown in a line`,
      `read it in ${spec.basePath}/tasks.md, then ${slash(layout, "implement")} agrees to the list as it is`,
    );
  }
  writeAgreement(spec, agreeToPending(agreed));
  const commands = pending.flatMap((question) => question.commands.map(shownCommand));
  const gone = pending.filter((question) => question.commands.length === 0);
  return [
    ...(commands.length === 0 ? [] : [`Verify may now run ${commands.join(", ")}. `]),
    ...gone.map(({ task }) => `${task} goes without a Verify. `),
  ].join("");
}

/** A document is approved by the command of the next phase, which is for the user to type. */
function refuseDocument({ spec, state }: Run): void {
  const { layout } = spec.project;
  const phase = phaseNamed(layout, state.phase);
  if (phase === undefined) return;
  const next = slash(layout, commandAfter(layout, phase));
  throw new CliError(
    EXIT.refused,
    `${phase.document} is not approved this way`,
    `the user approves it with ${next}; end your turn`,
  );
}

/** Sets flags of the state once: a second call finds them set and writes nothing. */
function set(
  context: Context,
  spec: Spec,
  event: "paused" | "awaiting" | "approved",
  wish: Raw,
  text: (run: Run) => string,
): Result {
  return withRun(
    context,
    spec,
    (run) => {
      const { state, loop } = run;
      if (event === "approved") refuseDocument(run);
      const known = state as Raw;
      const changed = Object.entries(wish).some(
        ([name, value]) => (known[name] ?? false) !== (value ?? false),
      );
      const note =
        typeof wish["approvalReason"] === "string" ? { note: wish["approvalReason"] } : {};
      if (changed) run.apply({ event, ...note, loop, state: wish });
      return { text: text(run), json: { ok: true, spec: run.spec.name, event, changed } };
    },
    { anySession: event === "paused" },
  );
}
