import { type Case, measure } from "./measure.ts";
import { costOf, overAim, type Section, showAim, showRatio, tableOf } from "./report.ts";
import { makeScene, program, taskList } from "./scene.ts";

/** `done` starts the task's Verify and asks git; `doctor` asks what else is installed. */
const commands: readonly { args: readonly string[]; says: RegExp; aim: number; input?: string }[] =
  [
    { args: ["status"], says: /0\/60|of 60|Task 1/, aim: 2 },
    { args: ["next"], says: /Task 1/, aim: 2 },
    {
      args: ["done", "1.1", "--report", "-"],
      input: "Did it.\nNO_CHANGE: it is only measured\nTASK_COMPLETE\n",
      says: /1\.2/,
      aim: 5,
    },
    { args: ["list"], says: /demo/, aim: 2 },
    { args: ["tasks", "list"], says: /1\.60/, aim: 2 },
    { args: ["tasks", "lint"], says: /./, aim: 2 },
    { args: ["doctor"], says: /./, aim: 6 },
  ];

/** The commands that agents and people wait for. */
export function benchCommands(rounds: number, home: string): Section {
  const scene = makeScene(home, "commands", taskList(60));
  scene.keep();
  const cases = commands.map(({ args, says, input = "" }): Case => ({
    name: args.filter((arg) => !arg.startsWith("-")).join(" "),
    file: process.execPath,
    args: [program, "--layout=specum", ...args],
    cwd: scene.root,
    input,
    env: { CLAUDE_CODE_SESSION_ID: "bench" },
    before: scene.restore,
    says,
  }));
  const measured = measure("command latency", cases, rounds, home);
  const costs = cases.map(({ name }, i) => costOf(measured, name, commands[i]?.aim));
  return {
    title: "Command latency",
    text: `${tableOf(
      ["command", "× bare node", "aim", "processor time, ×", "ms here"],
      costs.map((cost) => [
        `\`${cost.name}\``,
        showRatio(cost.wall),
        showAim(cost),
        showRatio(cost.cpu),
        measured.wall(cost.name).toFixed(1),
      ]),
    )}

60 tasks, ${rounds} interleaved rounds. \`done\` runs the task's Verify (\`true\`) and makes a checkpoint in git. Compiled code is kept, as at the second use of a command.
`,
    over: costs.flatMap((cost) => overAim(`command ${cost.name}`, cost)),
  };
}
