import { slash } from "../../core/layout.ts";
import { commandAfter, phaseNamed } from "../../core/phases.ts";
import type { Raw } from "../../core/state.ts";
import { stringOption } from "../arguments.ts";
import { CliError, type Command, type Context, EXIT, type Input, type Result } from "../command.ts";
import { openSpec } from "../open.ts";
import { type Run, withRun } from "../run.ts";

export const pause: Command = {
  name: "pause",
  summary: "let the agent stop at the end of its turn; nothing is lost",
  group: "run",
  run: (context, input) =>
    set(
      context,
      input,
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
      input,
      "awaiting",
      wish,
      () =>
        `The loop waits for the user. Ask them, end your turn, and run \`${context.program} approve\` once they have decided.`,
    );
  },
};

export const approve: Command = {
  name: "approve",
  summary: "the user has decided; the loop goes on at the end of the turn",
  group: "agent",
  run: (context, input) =>
    set(
      context,
      input,
      "approved",
      { awaitingApproval: false, approvalReason: undefined },
      () => "Approved. End your turn; the loop goes on.",
    ),
};

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
  input: Input,
  event: "paused" | "awaiting" | "approved",
  wish: Raw,
  text: (run: Run) => string,
): Result {
  return withRun(
    context,
    openSpec(context, input),
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
