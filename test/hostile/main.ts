import { parseArgs } from "node:util";
import { feed, type Fed } from "./feed.ts";
import { feedGuided } from "./guided.ts";
import type { Target } from "./target.ts";
import { openTargets } from "./targets.ts";
import { watch } from "./watchdog.ts";

/**
 * `npm run fuzz -- [--runs 1000000] [--seed n] [--target name]`: the same as the test, but a million times. With
 * `--guided`, texts that reach new blocks of the readers are kept and changed further.
 */
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000000" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    target: { type: "string" },
    guided: { type: "boolean", default: false },
  },
});
const CHUNK = 500;

const runs = Number(values.runs);
const first = Number(values.seed);
const started = performance.now();
const seconds = (): number => Math.round((performance.now() - started) / 1000);
const shown = (input: unknown): string => JSON.stringify(input)?.slice(0, 1500) ?? String(input);
const seen = new Map<string, number>();
let slowest: { target: string } & Fed["slowest"] = {
  target: "",
  milliseconds: 0,
  input: undefined,
};
let done = 0;

if (values.guided) runGuided();
else await runAll();
const violations = [...seen.values()].reduce((sum, count) => sum + count, 0);
const slow = values.guided ? "" : `, slowest ${Math.round(slowest.milliseconds)} ms`;
console.log(`${done} inputs, ${violations} violations (${seen.size} kinds), ${seconds()} s${slow}`);
process.exitCode = violations > 0 ? 1 : 0;

function runGuided(): void {
  for (const result of feedGuided(values.target, runs, first, (line) => console.error(line))) {
    done += result.inputs;
    for (const { what, input } of result.violations)
      tell("guided", `--guided --seed ${first}`, { what, input });
  }
}

async function runAll(): Promise<void> {
  const { targets, close } = openTargets();
  const wanted = targets.filter(
    ({ name }) => values.target === undefined || name === values.target,
  );
  const share = wanted.reduce((sum, one) => sum + one.share, 0);
  const dog = watch();
  try {
    if (share === 0) throw new Error(`targets: ${targets.map(({ name }) => name).join(", ")}`);
    for (const target of wanted)
      await feedAll(target, Math.ceil((runs * target.share) / share), dog.begin);
  } finally {
    dog.end();
    close();
  }
  console.log(`slowest input: ${slowest.target} ${shown(slowest.input)}`);
}

async function feedAll(
  target: Target,
  count: number,
  begin: (name: string) => void,
): Promise<void> {
  for (let fed = 0, seed = first; fed < count; seed++) {
    const name = `--target ${target.name} --seed ${seed} --runs ${CHUNK}`;
    const result = await feed(target, Math.min(CHUNK, count - fed), seed, (job) => {
      begin(name);
      return job();
    });
    fed += result.inputs;
    done += result.inputs;
    if (result.slowest.milliseconds > slowest.milliseconds) {
      slowest = { target: target.name, ...result.slowest };
    }
    if (result.violation !== undefined) tell(target.name, name, result.violation);
    if (seed % 20 === first % 20) {
      console.error(`${target.name} ${fed}/${count}, ${done} in all, ${seconds()} s`);
    }
  }
}

function tell(name: string, again: string, { what, input }: NonNullable<Fed["violation"]>): void {
  const [line = ""] = what.split("\n", 1);
  const kind = `${name} ${line.slice(0, 60)}`;
  seen.set(kind, (seen.get(kind) ?? 0) + 1);
  if ((seen.get(kind) as number) > 1) return;
  console.log(`${again}:`);
  console.log(`  ${what.split("\n").slice(0, 6).join("\n  ")}\n  ${shown(input)}`);
}
