import { join } from "node:path";
import { type InstallPlan, planInstall, takeStep } from "../../../../engine/install-client.ts";
import { hasClient } from "../../../../hosts/checks.ts";
import type { HostInstall, InstallStep } from "../../../../hosts/setup.ts";
import { quoteForShell } from "../../../../text/quote.ts";
import { clean } from "../../../../text/template.ts";
import { stringOption } from "../../arguments.ts";
import { type Context, EXIT, type Input, type Result } from "../../command.ts";

declare const __dirname: string;

/** `init --client a,b`: our package, from the folder that this program is in. */
export function installInto(context: Context, input: Input, clients: string): Result {
  const named = clients
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const names = [...new Set(named)];
  const plan = planInstall(context, names, join(__dirname, "..", "..", ".."));
  const writes = input.options["yes"] === true && input.options["dry-run"] !== true;
  const taken = writes ? takeAll(context, plan) : foreseeAll(context, plan);
  const faults = taken.filter(({ fault }) => fault !== undefined);
  const { plugin } = plan.project.layout;
  const lines = plan.clients.flatMap(({ host, steps }) => [
    `${host.name}:`,
    ...(steps.length === 0 ? ["  already set up"] : []),
    ...steps.flatMap((step) => [
      `  ${markOf(taken, step)} ${describe(step)}   (${step.why})`,
      ...whyNot(taken, step),
    ]),
    ...(writes && steps.length > 0 && !steps.some((step) => find(taken, step)?.fault !== undefined)
      ? afterwardsOf(host, plugin).map((line) => `  then: ${line}`)
      : []),
  ]);
  const isAnything = plan.clients.some(({ steps }) => steps.length > 0);
  const again = [context.program, "init", "--client", names.join(","), ...repeated(input), "--yes"];
  const end = writes || !isAnything ? [] : [`Nothing is done yet: ${again.join(" ")} does it.`];
  return {
    ...(writes && faults.length > 0 ? { code: EXIT.refused } : {}),
    text: clean([...lines, ...end].join("\n")),
    json: {
      ok: !writes || faults.length === 0,
      done: writes,
      clients: plan.clients.map(({ host, steps }) => ({
        name: host.name,
        steps: steps.map((step) => ({ ...withoutText(step), ...faultOf(taken, step) })),
        afterwards: afterwardsOf(host, plugin),
      })),
    },
  };
}

const afterwardsOf = ({ afterwards, first }: HostInstall, plugin: string): readonly string[] =>
  first === undefined ? afterwards : [...afterwards, first(plugin)];

/** The options that say where: what is typed next has to mean the same project. */
const repeated = (input: Input): string[] =>
  ["layout", "directory"].flatMap((name) => {
    const value = stringOption(input, name);
    return value === undefined ? [] : [`--${name}`, quoteForShell(value)];
  });

interface Taken {
  readonly step: InstallStep;
  readonly fault: string | undefined;
}

function takeAll(context: Context, { project, clients }: InstallPlan): Taken[] {
  return clients.flatMap(({ steps }) => {
    const taken: Taken[] = [];
    for (const step of steps) {
      if (step.kind === "by-hand") continue;
      const fault = takeStep(context, project, step);
      taken.push({ step, fault });
      // What comes next needs it.
      if (fault !== undefined && step.kind === "run") break;
    }
    return taken;
  });
}

function describe(step: InstallStep): string {
  if (step.kind === "by-hand") return step.what;
  return step.kind === "run" ? step.command.map(quoteForShell).join(" ") : `write ${step.path}`;
}

/** Before anything is done, only what is certain to fail is known. */
const foreseeAll = ({ env }: Context, { clients }: InstallPlan): Taken[] =>
  clients.flatMap(({ host, steps }) => {
    const step = steps.find(({ kind }) => kind === "run");
    return step === undefined || hasClient(host.name, env)
      ? []
      : [{ step, fault: `${host.name} is not on PATH` }];
  });

const find = (taken: readonly Taken[], step: InstallStep): Taken | undefined =>
  taken.find((one) => one.step === step);

function markOf(taken: readonly Taken[], step: InstallStep): string {
  const found = find(taken, step);
  if (found === undefined) return "-";
  return found.fault === undefined ? "✓" : "✗";
}

function whyNot(taken: readonly Taken[], step: InstallStep): string[] {
  const fault = find(taken, step)?.fault;
  return fault === undefined ? [] : [`    ${fault}`];
}

const faultOf = (taken: readonly Taken[], step: InstallStep): object => {
  const found = find(taken, step);
  return found === undefined
    ? {}
    : { ok: found.fault === undefined, ...(found.fault === undefined ? {} : { why: found.fault }) };
};

function withoutText(step: InstallStep): object {
  const { why } = step;
  if (step.kind === "by-hand") return { byHand: step.what, why };
  return step.kind === "run" ? { run: step.command, why } : { file: step.path, why };
}
