import { join } from "node:path";
import { type InstallPlan, planInstall, takeStep } from "../../../../engine/install-client.ts";
import type { InstallStep } from "../../../../hosts/setup.ts";
import { hasClient } from "../../../../hosts/setups.ts";
import { quoteForShell } from "../../../../text/quote.ts";
import { clean } from "../../../../text/template.ts";
import { stringOption } from "../../arguments.ts";
import type { Context, Input, Result } from "../../command.ts";

declare const __dirname: string;

/** `init --client a,b`: our package, from the folder that this program is in. */
export function installInto(context: Context, input: Input, clients: string): Result {
  const named = clients
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const names = [...new Set(named)];
  const plan = planInstall(context, names, join(__dirname, "..", "..", ".."));
  const writes = isMeant(input);
  const outcomes = writes ? takeAll(context, plan) : foreseeAll(context, plan);
  const isFailed = (step: InstallStep): boolean => typeof outcomes.get(step) === "string";
  const { plugin } = plan.project.layout;
  const all = plan.clients.flatMap(({ steps }) => steps);
  const lines = plan.clients.flatMap(({ host, steps }) => [
    `${host.name}:`,
    ...(steps.length === 0 ? ["  already set up"] : []),
    ...steps.flatMap((step) => {
      const fault = outcomes.get(step);
      const mark = fault === undefined ? "-" : fault === null ? "✓" : "✗";
      const line = `  ${mark} ${describe(step)}   (${step.why})`;
      return isFailed(step) ? [line, `    ${fault}`] : [line];
    }),
    ...(writes && steps.length > 0 && !steps.some(isFailed)
      ? host.afterwards(plugin).map((line) => `  then: ${line}`)
      : []),
  ]);
  const again = [context.program, "init", "--client", names.join(","), ...repeated(input), "--yes"];
  const end =
    writes || all.length === 0 ? [] : [`Nothing is done yet: ${again.join(" ")} does it.`];
  return {
    ok: !writes || !all.some(isFailed),
    text: clean([...lines, ...end].join("\n")),
    json: {
      done: writes,
      clients: plan.clients.map(({ host, steps }) => ({
        name: host.name,
        steps: steps.map((step) => ({ ...withoutText(step), ...jsonOf(outcomes.get(step)) })),
        afterwards: host.afterwards(plugin),
      })),
    },
  };
}

/** Without `--yes`, `init` only shows what it would do. */
export const isMeant = ({ options }: Input): boolean =>
  options["yes"] === true && options["dry-run"] !== true;

/** The options that say where: what is typed next has to mean the same project. */
const repeated = (input: Input): string[] =>
  ["layout", "directory"].flatMap((name) => {
    const value = stringOption(input, name);
    return value === undefined ? [] : [`--${name}`, quoteForShell(value)];
  });

/** Why a step fails, or null if it does not. Of those that are not taken, nothing is known. */
type Outcomes = ReadonlyMap<InstallStep, string | null>;

function takeAll(context: Context, { project, clients }: InstallPlan): Outcomes {
  const outcomes = new Map<InstallStep, string | null>();
  for (const { steps } of clients)
    for (const step of steps) {
      if (step.kind === "by-hand") continue;
      const fault = takeStep(context, project, step);
      outcomes.set(step, fault ?? null);
      // What comes next needs it.
      if (fault !== undefined && step.kind === "run") break;
    }
  return outcomes;
}

function describe(step: InstallStep): string {
  if (step.kind === "by-hand") return step.what;
  return step.kind === "run" ? step.command.map(quoteForShell).join(" ") : `write ${step.path}`;
}

/** Before anything is done, only what is certain to fail is known. */
const foreseeAll = ({ env }: Context, { clients }: InstallPlan): Outcomes =>
  new Map(
    clients.flatMap(({ host, steps }) => {
      const step = steps.find(({ kind }) => kind === "run");
      const isMissing = step !== undefined && !hasClient(host, env);
      return isMissing ? [[step, `${host.name} is not on PATH`]] : [];
    }),
  );

const jsonOf = (why: string | null | undefined): object =>
  typeof why === "string" ? { ok: false, why } : why === null ? { ok: true } : {};

function withoutText(step: InstallStep): object {
  const { why } = step;
  if (step.kind === "by-hand") return { byHand: step.what, why };
  return step.kind === "run" ? { run: step.command, why } : { file: step.path, why };
}
