import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { listOf, taskFile } from "../../test/e2e/run/tasks.ts";
import type { Loop, Place } from "./place.ts";

const PROGRAM = resolve("bin", "smart-ralph.cjs");

const treeIn = ({ home }: Place): string => {
  const trees = join(home, ".local", "state", "smart-ralph", "trees");
  const [repository = ""] = existsSync(trees) ? readdirSync(trees) : [];
  return join(trees, repository, "demo");
};

export const ours: Loop = {
  name: "smart-ralph run",
  prepare({ root }, ids) {
    mkdirSync(join(root, "specs", "demo"), { recursive: true });
    writeFileSync(join(root, "specs", "demo", "tasks.md"), listOf(ids));
  },
  command: () => [process.execPath, PROGRAM, "run", "demo", "--agent", "claude", "--plain"],
  taskOf: (_, { order, text }) => /# Task (\S+) of /.exec(order + text)?.[1],
  report: () => "Written.\nTASK_COMPLETE",
  believed: (place) =>
    [...read(join(treeIn(place), "specs", "demo", "tasks.md")).matchAll(/^- \[x\] (\S+)/gm)].map(
      ([, id]) => id as string,
    ),
  tree: treeIn,
};

interface Story {
  readonly id: string;
  readonly passes: boolean;
}

/** As its README says: its script and its prompt in `scripts/ralph`, beside the list. */
export function snarktank(source: string): Loop {
  const folder = ({ root }: Place): string => join(root, "scripts", "ralph");
  const stories = (place: Place): Story[] =>
    (JSON.parse(read(join(folder(place), "prd.json"))) as { userStories: Story[] }).userStories;
  return {
    name: "snarktank/ralph",
    prepare(place, ids) {
      mkdirSync(folder(place), { recursive: true });
      for (const file of ["ralph.sh", "CLAUDE.md"])
        cpSync(join(source, file), join(folder(place), file));
      const userStories = ids.map((id, index) => ({
        id,
        title: `Write part ${id}`,
        description: `As a user I want ${taskFile(id)}.`,
        acceptanceCriteria: [`\`grep -q done ${taskFile(id)}\` passes`],
        priority: index + 1,
        passes: false,
        notes: "",
      }));
      const prd = { project: "demo", branchName: "main", description: "Twelve parts", userStories };
      writeFileSync(join(folder(place), "prd.json"), JSON.stringify(prd, null, 2));
    },
    command: (place) => ["bash", join(folder(place), "ralph.sh"), "--tool", "claude", "20"],
    taskOf: (place) => stories(place).find(({ passes }) => !passes)?.id,
    tick: (id) =>
      `jq '(.userStories[] | select(.id == "${id}")).passes = true' scripts/ralph/prd.json > prd.new && mv prd.new scripts/ralph/prd.json`,
    report: (place) =>
      stories(place).every(({ passes }) => passes)
        ? "<promise>COMPLETE</promise>"
        : "Done with this story.",
    believed: (place) => stories(place).flatMap(({ id, passes }) => (passes ? [id] : [])),
    tree: ({ root }) => root,
  };
}

/** Installed by its own script into the home, and the project made by its own setup. */
export function ralphClaudeCode(source: string): Loop {
  const plan = ({ root }: Place): string => join(root, ".ralph", "fix_plan.md");
  const ticked = (place: Place, mark: string): string[] =>
    read(plan(place))
      .split("\n")
      .flatMap((line) =>
        line.startsWith(`- [${mark}] 1.`) ? (line.split(" ")[mark === " " ? 3 : 2] ?? []) : [],
      );
  const open = (place: Place): string[] => ticked(place, " ");
  return {
    name: "ralph-claude-code",
    prepare(place, ids) {
      const { root, env } = place;
      const quiet = { env: { ...env }, stdio: "ignore" as const };
      execFileSync("bash", [join(source, "install.sh")], { cwd: source, ...quiet });
      execFileSync("bash", [join(env["HOME"] ?? "", ".local", "bin", "ralph-setup"), "."], {
        cwd: root,
        ...quiet,
      });
      // Its own advice for commands of several parts, without which the model could not write a file by the shell.
      const rc = join(root, ".ralphrc");
      const settings = read(rc)
        .replace(/^ALLOWED_TOOLS=.*$/m, 'ALLOWED_TOOLS="Write,Read,Edit,Bash(*)"')
        .replace(/^CLAUDE_AUTO_UPDATE=.*$/m, "CLAUDE_AUTO_UPDATE=false");
      writeFileSync(rc, settings);
      const lines = ids.map(
        (id) => `- [ ] ${id} Write ${taskFile(id)}: \`grep -q done ${taskFile(id)}\` passes`,
      );
      writeFileSync(plan(place), `# Fix plan\n\n## High Priority\n${lines.join("\n")}\n`);
    },
    command: ({ env }) => ["bash", join(env["HOME"] ?? "", ".local", "bin", "ralph")],
    taskOf: (place) => open(place)[0],
    tick: (id) => `sed -i 's/^- \\[ \\] ${id} /- [x] ${id} /' .ralph/fix_plan.md`,
    report(place) {
      const isOver = open(place).length === 0;
      return [
        "Did the next item of the plan.",
        "",
        "---RALPH_STATUS---",
        `STATUS: ${isOver ? "COMPLETE" : "IN_PROGRESS"}`,
        "TASKS_COMPLETED_THIS_LOOP: 1",
        "FILES_MODIFIED: 1",
        "TESTS_STATUS: PASSING",
        "WORK_TYPE: IMPLEMENTATION",
        `EXIT_SIGNAL: ${isOver}`,
        "RECOMMENDATION: go on with the plan",
        "---END_RALPH_STATUS---",
      ].join("\n");
    },
    believed: (place) => ticked(place, "x"),
    tree: ({ root }) => root,
  };
}

const read = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
