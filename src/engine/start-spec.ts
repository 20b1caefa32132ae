import { specInEpic, writeEpicStatus } from "../epic/standing.ts";
import type { Phase } from "../layouts/layout.ts";
import { phasesOf } from "../layouts/phases.ts";
import type { Raw } from "../run/state.ts";
import { readIntent } from "../spec/classify-intent.ts";
import { isSmallGoal } from "../spec/small-goal.ts";
import type { Project } from "../store/project.ts";
import type { Spec } from "../store/spec.ts";
import { requireUserFor } from "./authority.ts";
import { branchOff, type BranchOption, checkOutBranch, inNewWorktree } from "./branch.ts";
import { createSpec, freeName, type NewSpec, orRemove } from "./create-spec.ts";
import type { Request } from "./request.ts";
import { startPhase } from "./start-phase.ts";
import type { SpecOptions, Step } from "./step.ts";
import { refuseDisabled } from "./with-run.ts";

export interface SpecRequest extends Omit<NewSpec, "intent"> {
  readonly options: SpecOptions;
  readonly branch: BranchOption;
  readonly skipFirstPhase: boolean;
}

export interface StartedSpec {
  readonly spec: Spec;
  /** A sentence about the branch checked out for it. */
  readonly branch?: string;
  /** Its first phase; undefined if it waits in a worktree for its own session. */
  readonly step?: Step;
}

/** Creates a spec and starts its first phase, in this worktree or in its own. */
export function startSpec(request: Request, here: Project, wanted: SpecRequest): StartedSpec {
  refuseDisabled(here);
  requireUserFor(request, here.layout, "start");
  const { options, branch: option } = wanted;
  const { quick: quickMode, granularity, commitSpec } = here.settings;
  const defaults = { quickMode, granularity, commitSpec };
  const fields = { ...defaults, ...options.fields };
  const all = { ...options, fields: { ...fields, ...chooseWay(wanted, fields) } };
  const plan = { ...wanted, options: all, intent: options.intent };
  const place = option ?? here.settings.branch;
  if (place === "worktree") return startInWorktree(request, here, plan);
  const { spec, state } = createSpec(request, here, plan);
  const { name } = spec;
  const branch =
    place === "branch"
      ? `On branch ${orRemove(spec, () => checkOutBranch(option, here, name))}.`
      : place === "auto" && all.fields["quickMode"] === true
        ? branchOff(here, name)
        : undefined;
  return {
    spec,
    ...(branch === undefined ? {} : { branch }),
    step: startFirst(request, here, spec, plan, state),
  };
}

/** Nobody is asked in quick mode: a small goal takes the short way, unless the user said which one to take. */
function chooseWay({ goal, given, options }: SpecRequest, { quickMode, small }: Raw): Raw {
  const { intent } = options;
  const found = readIntent(goal, intent === undefined ? {} : { intent, intentBy: "user" });
  const chooses = quickMode === true && small === undefined && given === undefined;
  return chooses && isSmallGoal(goal, found) ? { small: true } : {};
}

/** The session cannot move there: the spec waits for one that begins in the new folder. */
function startInWorktree(
  request: Request,
  here: Project,
  wanted: SpecRequest & NewSpec,
): StartedSpec {
  const name = freeName(request, here, wanted);
  return inNewWorktree(wanted.branch, here, name, (there) => {
    const { spec, state } = createSpec(request, there, {
      ...wanted,
      name,
      isProvisional: wanted.name === undefined,
    });
    const unbound = { ...request, caller: { ...request.caller, session: null } };
    startFirst(unbound, here, spec, wanted, state);
    return { spec };
  });
}

function startFirst(
  request: Request,
  project: Project,
  spec: Spec,
  { options, skipFirstPhase }: SpecRequest,
  known: Raw,
): Step {
  const small = options.fields["small"] === true;
  const [first, second] = phasesOf(spec.project.layout, { small });
  const fields = { ...known, ...options.fields, ...joinEpic(request, project, spec.name) };
  // The short way has no research to skip.
  const phase = (skipFirstPhase && !small ? second : first) as Phase;
  return startPhase(request, spec, phase, { ...options, fields });
}

function joinEpic(request: Request, project: Project, name: string): Raw {
  const epic = specInEpic(project, name)?.epic;
  if (epic === undefined) return {};
  writeEpicStatus(project, name, "in_progress", request.now());
  return { epicName: epic.name };
}
