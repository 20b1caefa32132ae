import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { claude } from "../../test/e2e/agents/claude.ts";
import { CURRENT } from "../../test/e2e/install.ts";
import { idsOf } from "../../test/e2e/run/tasks.ts";
import { bash } from "../../test/e2e/wire.ts";
import { tableOf } from "../report.ts";
import { ours, ralphClaudeCode, snarktank } from "./loops.ts";
import { type Game, type Loop, play, type Played, THINKS_MS } from "./place.ts";

const HELP = `node scripts/run.mjs bench/side-by-side/main.ts [options]

The same twelve tasks, client and scripted model, with smart-ralph run and public bash loops.
  --snarktank <url or folder>@<commit>
  --ralph-claude-code <url or folder>@<commit>
  --only <scenario,…>  honest, lies, limit, killed
`;

const { values } = parseArgs({
  options: {
    snarktank: { type: "string" },
    "ralph-claude-code": { type: "string" },
    only: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});

const IDS = idsOf(12);
/** Eight of the twelve. */
const FALSE = new Set(IDS.slice(2, 10));
const LIMIT_S = 20;
/** Not a sleep: the client moves one into the background. */
const HANGS = "tail -f /dev/null";

const HEADS = [
  "loop",
  "truly done",
  "false, believed",
  "exit code",
  "agents started",
  "seconds",
  "s a task beyond the model",
  "input tokens",
  "processes left",
];

const SCENARIOS: Readonly<Record<string, () => Game>> = {
  honest: () => ({ ids: IDS, behave: () => undefined, capMs: 500_000 }),
  // Whoever is told that it is not done does it then.
  lies: () => ({
    ids: IDS,
    behave: (id, nth) => (FALSE.has(id) && nth === 1 ? "lie" : undefined),
    capMs: 500_000,
  }),
  limit: () => {
    let resetsAt: number | undefined;
    const limit = (at: number) => claude.troubles.limit?.(at) ?? { answer: "" };
    const { env = {} } = limit(0);
    return {
      ids: IDS,
      env,
      capMs: 180_000,
      behave(id) {
        if (id !== IDS[3]) return undefined;
        resetsAt ??= Math.ceil(Date.now() / 1000) + LIMIT_S;
        return Date.now() < resetsAt * 1000 ? limit(resetsAt) : undefined;
      },
    };
  },
  killed: () => ({
    ids: IDS,
    behave: (id) => (id === IDS[1] ? { answer: { call: [bash(HANGS)] } } : undefined),
    killAt: HANGS,
    capMs: 120_000,
  }),
};

if (values.help) process.stdout.write(HELP);
else await main();

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "loops-"));
  try {
    const { snarktank: first, "ralph-claude-code": second } = values;
    const loops: Loop[] = [
      ...(first === undefined ? [] : [snarktank(download(first, join(folder, "first")))]),
      ...(second === undefined ? [] : [ralphClaudeCode(download(second, join(folder, "second")))]),
      ours,
    ];
    const wanted = values.only?.split(",") ?? Object.keys(SCENARIOS);
    process.stdout.write(
      `Claude Code ${CURRENT}, ${IDS.length} tasks, load average ${loadavg()[0]?.toFixed(1)}\n`,
    );
    for (const scenario of wanted) {
      const rows: string[][] = [];
      for (const loop of loops) {
        const game = SCENARIOS[scenario]?.();
        if (game === undefined) throw new Error(`there is no scenario "${scenario}"`);
        const played = await play(loop, game);
        rows.push(rowOf(loop, played));
        process.stderr.write(
          `${scenario}, ${loop.name}: ${JSON.stringify({ ...played, out: played.out.slice(-600) })}\n`,
        );
      }
      process.stdout.write(`\n## ${scenario}\n\n${tableOf(HEADS, rows)}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowOf({ name }: Loop, played: Played): string[] {
  const { believed, done, code, starts, ms, tokens, left } = played;
  const falsely = believed.filter((id) => !done.includes(id));
  return [
    name,
    `${done.length}`,
    `${falsely.length}`,
    `${code ?? "killed"}`,
    `${starts}`,
    (ms / 1000).toFixed(1),
    // Each task is two calls.
    (ms / 1000 / IDS.length - (2 * THINKS_MS) / 1000).toFixed(1),
    `${Math.round(tokens / 1000)}k`,
    left.length === 0 ? "0" : `${left.length}: ${left.join(", ")}`,
  ];
}

/** By git, at the commit that was named. */
function download(source: string, folder: string): string {
  const [, from = "", commit = ""] = /^(.+)@([0-9a-f]{7,40})$/.exec(source) ?? [];
  if (commit === "") throw new Error(`name a commit: ${source}@<commit>`);
  execFileSync("git", ["clone", "-q", "--no-checkout", from, folder]);
  // Their programs and prompts, not their pictures.
  const git = (...args: readonly string[]): void => void execFileSync("git", args, { cwd: folder });
  git("sparse-checkout", "set", "--no-cone", "*.sh", "*.md", "templates/", "lib/", "Dockerfile");
  git("checkout", "-q", commit);
  return folder;
}
