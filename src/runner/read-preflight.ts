import { delimiter, isAbsolute } from "node:path";
import { reportsCost } from "../agents/facts.ts";
import type { Agent } from "../agents/port.ts";
import { refuseTaken } from "../engine/bind-run.ts";
import { readSpaces } from "../engine/doctor/disk.ts";
import { readGitFacts } from "../engine/doctor/git.ts";
import { asStrict, outlookOf } from "../engine/outlook.ts";
import { Refusal } from "../engine/refusal.ts";
import type { Request } from "../engine/request.ts";
import { locateProgram } from "../exec/environment.ts";
import { openSandbox } from "../exec/sandbox.ts";
import { agreeToAll } from "../run/agreement.ts";
import { planVerification } from "../run/claim/verification.ts";
import { isSameOrBelow } from "../store/containment.ts";
import { workerOn } from "../store/lease.ts";
import { specAt, type Spec } from "../store/spec.ts";
import type { TaskList } from "../tasks/model.ts";
import { firstProgram } from "../tasks/verify/first-program.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import { refuseToBegin } from "./begin.ts";
import type { Crew } from "./crew.ts";
import { refuseInEpic } from "./epic/in-epic.ts";
import { warnOfCost } from "./keep-budget.ts";
import type { RunOptions } from "./options.ts";
import type { PreflightFacts } from "./preflight.ts";
import { findPlanned } from "./run-plan.ts";
import type { Target } from "./target.ts";
import { requireGround } from "./trees/ground.ts";
import { readLeftOut } from "./trees/open-trunk.ts";
import { refuseUntaken } from "./trees/untaken.ts";

/** Gathers what is known without a call of a model. Changes nothing. */
export function readPreflight(
  request: Request,
  target: Target,
  { options, states, none }: Crew,
  known: readonly Agent[],
  isStrict: boolean,
): PreflightFacts {
  const home = "epic" in target ? specAt(target.epic.project, target.epic.folder) : target.spec;
  const { root, settings } = home.project;
  const { spec, list } = "epic" in target ? { spec: home, list: undefined } : findPlanned(home);
  const { sandbox, budget, taskBudget, prices } = options;
  const box = sandbox === "own" || sandbox === "none" ? undefined : openSandbox(sandbox, options);
  const choices = Object.values(options.agents).flat();
  const isContainer = sandbox === "docker" || sandbox === "podman";
  return {
    options,
    refused: [
      ...attempt("run", () => refuseHeld(home)),
      ...attempt("git", () => refuseGround(home, options, "epic" in target)),
      ...(none === undefined ? [] : [asFinding("agent", none)]),
      ...(box?.kind === "missing"
        ? [asFinding("sandbox", { message: `--sandbox ${sandbox}: ${box.why}`, fix: box.fix })]
        : []),
      ...("epic" in target
        ? []
        : attempt("strict", () =>
            refuseToBegin(request, isStrict || settings.strict ? asStrict(spec) : spec, isStrict),
          )),
    ],
    git: readGitFacts(root),
    uncommitted: readLeftOut(home),
    agents: states.map((state) => ({
      ...state,
      rights: known.find(({ id }) => id === state.id)?.rights(sandbox !== "own") ?? "",
    })),
    spaces: readSpaces(root),
    programs:
      list === undefined || isContainer
        ? { missing: [], isLost: false }
        : findMissing(request, spec, list, options),
    outlook: list && outlookOf(spec.project, list, agreeToAll(list)),
    costUnknown: warnOfCost({ run: budget, task: taskBudget }, choices, prices, reportsCost),
  };
}

const asFinding = (
  code: string,
  { message, fix }: { readonly message: string; readonly fix?: string | undefined },
): Diagnostic => ({ severity: "error", code, message, ...(fix === undefined ? {} : { fix }) });

/** What it refuses, as a finding. */
function attempt(code: string, look: () => void): Diagnostic[] {
  try {
    look();
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [asFinding(code, error)];
  }
}

function refuseHeld({ folder, name }: Spec): void {
  const holder = workerOn(folder);
  if (holder !== undefined) throw refuseTaken(holder, name);
}

function refuseGround(home: Spec, { here, given }: RunOptions, isEpic: boolean): void {
  if (here) return refuseUntaken(home, given);
  if (!isEpic) refuseInEpic(home, given);
  requireGround(home);
}

/** What Verify commands begin with and is not on the PATH. It is lost only if every open task needs such a program. */
function findMissing(
  { env }: Request,
  { project }: Spec,
  list: TaskList,
  { setup }: RunOptions,
): PreflightFacts["programs"] {
  const open = list.tasks
    .filter(({ checked }) => !checked)
    .map((task) => ({ task, ...planVerification(list, task, project.settings) }));
  const needs = open.flatMap(({ task: { id }, checks }) => {
    const program = firstProgram(checks[0]?.command ?? "") ?? "";
    return program === "" || locateProgram(program, env) !== undefined ? [] : [{ program, id }];
  });
  const commands = open.flatMap(({ checks }) => checks.map(({ command }) => command));
  const rest = commands.reduce((text, one) => text.replaceAll(one, ""), list.lines.join(""));
  const mayCome =
    /install/i.test(rest) ||
    needs.some(({ program }) => rest.includes(program)) ||
    // What is searched for in the project, a task may write.
    (env["PATH"] ?? "")
      .split(delimiter)
      .some((one) => !isAbsolute(one) || isSameOrBelow(one, project.root));
  const missing = [...new Set(needs.map(({ program }) => program))].map((program) => ({
    program,
    tasks: needs.filter((one) => one.program === program).map(({ id }) => id),
  }));
  return { missing, isLost: needs.length === open.length && setup === undefined && !mayCome };
}
