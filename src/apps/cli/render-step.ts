import { commandFor, isAtTerminal, isInClient, type Request } from "../../engine/request.ts";
import type { Step } from "../../engine/step.ts";
import { describeOutlook } from "../../facts/outlook.ts";
import { showsLines } from "../../hosts/host.ts";
import type { Edition } from "../../layouts/layout.ts";
import { hasOpen, openItems, renderChecklists } from "../../spec/checklists.ts";
import type { Spec } from "../../store/spec.ts";
import { quoteForShell, quoteName, quotePath } from "../../text/quote.ts";
import { oneLine } from "../../text/template.ts";
import { allOf, capitalize, SHELL_PROGRAM } from "../../text/wording.ts";
import type { Context, Result } from "./command.ts";
import { renderTable } from "./help.ts";

export const DESPITE_CHECKLISTS = "despite-checklists";

/** What the agent reads after a spec was started or resumed with `command`. */
export function renderStep(context: Context, command: string, step: Step): Result {
  const { spec } = step;
  const json = { spec: spec.name, path: spec.basePath };
  switch (step.kind) {
    case "run":
    case "phase": {
      const { kind, spec: _, prompt, ...facts } = step;
      const isPerson = isAtTerminal(context);
      const last = isPerson ? renderWays(spec, kind) : prompt;
      return {
        text: [...renderOutlook(context, step), ...step.notes, last].join("\n\n"),
        json: { ...json, ...facts },
        ...(isPerson ? {} : forAgent(context, spec.project.layout, command)),
      };
    }
    case "nothing-to-do": {
      const { all, are } = allOf(step.total, "task");
      return {
        text: [
          `Nothing to do: ${all} in ${spec.basePath}/tasks.md ${are} ticked.`,
          ...step.notes.map((note) => `${capitalize(note)}.`),
        ].join("\n"),
        json: { ...json, open: 0, total: step.total, next: [] },
      };
    }
    case "checklists":
      return renderOpen(context, step);
    case "user-decides": {
      const { phase } = step;
      const facts = phase === undefined ? { ready: true } : { phase, awaitingApproval: true };
      return {
        text: isAtTerminal(context)
          ? step.fact
          : `${step.fact}\n\nTell the user this, and end your turn.`,
        json: { ...json, ...facts },
      };
    }
  }
}

/** What a person types next: a prompt would only tell them what an agent has to do. */
function renderWays({ name, project: { layout } }: Spec, kind: "run" | "phase"): string {
  const [word, does, step] =
    kind === "run"
      ? ["resume", "agents do the tasks, unattended", "in your client, where you can watch"]
      : ["start", "agents plan and do it, unattended", "in your client, step by step with you"];
  return `Next, one of:\n${renderTable([
    [`${SHELL_PROGRAM} run ${quoteForShell(name)}`, does],
    [`${layout.voice.command(word)} ${quoteName(name)}`, step],
  ])}`;
}

/** The user reads it before the work begins. Where our hook can show them nothing, the agent says it. */
function renderOutlook(context: Context, step: Step): string[] {
  if (step.kind !== "run" || step.outlook === undefined) return [];
  const line = `${describeOutlook(step.outlook)}.`;
  const isUnseen = isInClient(context) && !showsLines(context.host);
  return [isUnseen ? `Begin by telling the user this line: ${line}` : line];
}

const MAX_SHOWN = 5;

/** What is unchecked, and the two ways on. Ticking is for people: an item is about whether the documents say enough. */
function renderOpen(request: Request, { spec, lists }: Step & { kind: "checklists" }): Result {
  const { layout } = spec.project;
  const folder = quotePath(`${spec.basePath}/${layout.checklists?.folder ?? ""}`);
  const open = lists.flatMap((list) => openItems(list).map((item) => ({ ...item, list })));
  const implement = `${commandFor(request, layout, "implement")} ${quoteName(spec.name)}`;
  const shown = open
    .slice(0, MAX_SHOWN)
    .map(({ list, line, text }) => `- ${oneLine(list.name, 60)}:${line} ${oneLine(text, 160)}`);
  const more = open.length - shown.length;
  const text = [
    `Not started: checklists in ${folder} have open items.`,
    "",
    renderChecklists(lists),
    "",
    ...shown,
    ...(more > 0 ? [`- and ${more} more`] : []),
    "",
    `Tick what the documents answer, change them where they do not, then ${implement}. To start anyway: ${implement} --${DESPITE_CHECKLISTS}`,
    ...(isInClient(request)
      ? ["", "Show the user all of this, and end your turn. Tick nothing: that is for them."]
      : []),
  ].join("\n");
  const json = {
    spec: spec.name,
    path: spec.basePath,
    checklists: lists.map((list) => ({
      name: list.name,
      total: list.items.length,
      open: openItems(list).map(({ line, text: item }) => ({ line, text: item })),
      passed: !hasOpen(list),
    })),
  };
  return { ok: false, text, json, verbatim: true };
}

/** A prompt is not to be broken into lines, and somebody in a shell should know whom it is for. */
export const forAgent = (
  request: Request,
  { voice }: Edition,
  command: string,
): Pick<Result, "verbatim" | "aside"> => ({
  verbatim: true,
  ...(isInClient(request)
    ? {}
    : {
        aside: `${request.program}: what follows is a prompt for a coding agent; to have one work on it, type ${voice.command(command)} in your client`,
      }),
});
