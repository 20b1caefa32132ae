import { capital, type Phase, slash } from "../layouts/layout.ts";
import type { Raw } from "../run/state.ts";
import { specInEpic, writeEpicStatus } from "../epic/standing.ts";
import type { Project } from "../store/project.ts";
import { stringOption } from "../apps/cli/arguments.ts";
import { requireUserFor } from "./authority.ts";
import { branchWish, checkOut, inNewWorktree } from "./branch.ts";
import type { Context, Input, Result } from "../apps/cli/command.ts";
import { createSpec, freeName, type Given, orRemove, type Wanted } from "./create-spec.ts";
import { beginPhase } from "./begin-phase.ts";
import { refuseDisabled } from "./run.ts";
import { allWishes, statedIntent } from "../apps/cli/spec-options.ts";

export interface Wish {
  readonly name: string | undefined;
  readonly goal: string;
  readonly given: Given | undefined;
}

/** Makes a spec and begins its first phase, in this work tree or in one of its own. */
export function beginSpec(context: Context, input: Input, here: Project, wish: Wish): Result {
  refuseDisabled(here);
  requireUserFor(context, here.layout, "start");
  const wishes = allWishes(input, here.settings);
  const wanted: Wanted = {
    ...wish,
    exact: wish.name !== undefined && input.options["fresh"] !== true,
    folder: stringOption(input, "specs-dir"),
    intent: statedIntent(input),
  };
  const branch = branchWish(input, here);
  if (branch === "worktree") return beginInWorktree(context, input, here, wanted, wishes);
  const { spec, state } = createSpec(context, here, wanted);
  const notes =
    branch === "branch"
      ? [`On branch ${orRemove(spec, () => checkOut(input, here, spec.name))}.`]
      : [];
  const result = beginPhase(context, input, spec, firstPhase(input, here), {
    ...state,
    ...wishes,
    ...joinEpic(context, here, spec.name),
  });
  return {
    text: [`${capital(here.layout.unit)} "${spec.name}" made.`, ...notes, result.text].join("\n\n"),
    json: { ...result.json, created: true },
  };
}

/** The session cannot move there: the spec waits for one that begins in the new folder. */
function beginInWorktree(
  context: Context,
  input: Input,
  here: Project,
  wanted: Wanted,
  wishes: Raw,
): Result {
  const name = freeName(here, wanted);
  return inNewWorktree(input, here, name, (there) => {
    const { spec, state } = createSpec(context, there, { ...wanted, name });
    const unbound = { ...context, caller: { ...context.caller, session: null } };
    const more = { ...state, ...wishes, ...joinEpic(context, here, spec.name) };
    beginPhase(unbound, input, spec, firstPhase(input, there), more);
    const command = slash(there.layout, "start");
    return {
      text: `${capital(there.layout.unit)} "${spec.name}" made in the work tree ${there.root}.\n\nTell the user to open a session there (cd ${there.root}) and to type ${command}. End your turn.`,
      json: { ok: true, created: true, spec: spec.name, path: spec.folder, worktree: there.root },
    };
  });
}

function firstPhase(input: Input, { layout }: Project): Phase {
  const [first, second] = layout.phases;
  return (input.options["skip-research"] === true ? second : first) as Phase;
}

function joinEpic(context: Context, project: Project, name: string): Raw {
  const epic = specInEpic(project, name)?.epic;
  if (epic === undefined) return {};
  writeEpicStatus(project, name, "in_progress", context.now());
  return { epicName: epic.name };
}
