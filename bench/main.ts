import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { benchCalls, callsNotRun } from "./calls.ts";
import { benchClient, notRun } from "./client.ts";
import { benchCommands } from "./commands.ts";
import { hasClient } from "./details.ts";
import { benchGrowth } from "./growth.ts";
import { benchHosts, hostsNotRun } from "./hosts.ts";
import { benchOutcomes } from "./outcomes.ts";
import type { Section } from "./report.ts";
import { benchRuns, runsNotRun } from "./runs.ts";
import { benchTasks } from "./tasks.ts";
import { benchTokens } from "./tokens.ts";

const HELP = `npm run bench [-- --quick] [-- --no-client]

Ratios and growth, not promises of milliseconds; written to bench/results.md.
  --quick      under a minute, for CI: fewer rounds, no client, nothing written; fails on what is out of bounds
  --no-client  without what needs a Claude Code in .clients
`;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    "no-client": { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) process.stdout.write(HELP);
else await main(values.quick, whyNoClient(values.quick, values["no-client"]));

async function main(quick: boolean, noClient: string | undefined): Promise<void> {
  const hook = (home: string): Section => benchOutcomes(quick ? 12 : 60, home, !quick);
  const growth = (home: string): Section => benchGrowth(quick ? 6 : 20, home, quick);
  const commands = (home: string): Section => benchCommands(quick ? 6 : 30, home);
  const tokens = (home: string): Promise<Section> => benchTokens(home, noClient === undefined);
  // A run that does not get to its end is no measurement: it fails.
  const calls = (): Promise<Section> | Section =>
    noClient === undefined ? benchCalls() : callsNotRun(noClient);
  const hosts = (): Promise<Section> | Section =>
    noClient === undefined ? benchHosts() : hostsNotRun(noClient);
  const client = (): Promise<Section> | Section =>
    noClient === undefined ? benchClient(4).catch(notRun) : notRun(noClient);
  const runs = (): Promise<Section> | Section =>
    noClient === undefined ? benchRuns(3) : runsNotRun(noClient);
  const sections: Section[] = [];
  process.stdout.write(heading());
  for (const bench of [hook, growth, benchTasks, commands, tokens, calls, hosts, client, runs]) {
    const section = await twiceIfOver(bench);
    sections.push(section);
    process.stdout.write(shown(section));
  }
  if (!quick) writeFileSync("bench/results.md", heading() + sections.map(shown).join(""));
  const over = sections.flatMap((section) => section.over);
  for (const line of over) process.stderr.write(`out of bounds: ${line}\n`);
  process.exitCode = over.length > 0 ? 1 : 0;
}

function whyNoClient(quick: boolean, unwanted: boolean): string | undefined {
  if (unwanted) return "not wanted";
  if (quick) return "it takes too long";
  return hasClient() ? undefined : "there is no client in .clients (`npm test` installs one)";
}

/** Other work on the machine may spoil one measurement, but not two in a row. */
async function twiceIfOver(bench: (home: string) => Section | Promise<Section>): Promise<Section> {
  const first = await inFolder(bench);
  return first.over.length === 0 ? first : inFolder(bench);
}

async function inFolder<T>(work: (home: string) => T | Promise<T>): Promise<T> {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "smart-ralph-bench-"));
  try {
    return await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function heading(): string {
  const [cpu] = cpus();
  const machine = `${process.platform} ${process.arch}, ${cpus().length} × ${cpu?.model.trim() ?? "unknown CPU"}`;
  return `# Measurements

Smart Ralph ${manifest.version}, Node ${process.versions.node}, ${machine}, ${new Date().toISOString().slice(0, 10)}, load average ${loadavg()[0]?.toFixed(1)}. Written by \`npm run bench\`; milliseconds are this machine's and no promise.
`;
}

function shown({ title, text }: Section): string {
  return `\n## ${title}\n\n${text.trim()}\n`;
}
