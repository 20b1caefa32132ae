import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
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
import { holderOf, readLease, specUnit } from "../store/lease.ts";
import { specAt, type Spec } from "../store/spec.ts";
import { vaultFolder } from "../store/vault-place.ts";
import type { TaskList } from "../tasks/model.ts";
import { firstProgram } from "../tasks/verify/first-program.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import { refuseToBegin } from "./begin.ts";
import type { Crew } from "./crew.ts";
import { refuseInEpic } from "./epic/in-epic.ts";
import { warnOfCost } from "./keep-budget.ts";
import type { RunOptions } from "./options.ts";
import type { MissingProgram, PreflightFacts } from "./preflight.ts";
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
    missing: list === undefined || isContainer ? [] : findMissing(request, spec, list, options),
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
  const holder = holderOf(readLease(vaultFolder() ?? "", specUnit(folder)));
  if (holder !== undefined) throw refuseTaken(holder, name);
}

function refuseGround(home: Spec, { here, given }: RunOptions, isEpic: boolean): void {
  if (here) return refuseUntaken(home, given);
  if (!isEpic) refuseInEpic(home, given);
  requireGround(home);
}

/** A task that mentions one of these may install anything. */
const BRINGS = /install|package\.json|requirements|pyproject|cargo\.toml|go\.mod|gemfile|composer/i;

function findMissing(
  { env }: Request,
  { project }: Spec,
  list: TaskList,
  { setup }: RunOptions,
): MissingProgram[] {
  const isHere = (program: string): boolean =>
    [program, `node_modules/.bin/${program}`].some((path) =>
      existsSync(resolve(project.root, path)),
    ) ||
    (!program.includes("/") && locateProgram(program, env) !== undefined);
  const open = list.tasks
    .filter(({ checked }) => !checked)
    .map((task) => ({
      id: task.id,
      text: list.lines.slice(task.line - 1, task.endLine).join(""),
      commands: planVerification(list, task, project.settings).checks.map((one) => one.command),
    }));
  const needs = open.flatMap(({ id, commands }) =>
    commands.flatMap((command) => {
      const program = firstProgram(command);
      return program === undefined || isHere(program) ? [] : [{ program, id }];
    }),
  );
  return [...new Set(needs.map(({ program }) => program))].map((program) => {
    const name = basename(program);
    const count = (text: string): number => text.split(name).length - 1;
    const isNamed = open.some(
      ({ text, commands }) => BRINGS.test(text) || count(text) > count(commands.join("\n")),
    );
    const tasks = needs.filter((one) => one.program === program).map(({ id }) => id);
    return { program, tasks, mayCome: setup !== undefined || isNamed };
  });
}
