import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { NamedCommand } from "../../src/apps/cli/command.ts";
import { loadCommands } from "../../src/apps/cli/commands.ts";
import type { Ran } from "../program/child.ts";
import { makePlace, TASKS } from "../program/support.ts";
import { specum } from "../support/editions.ts";
import { AGENT, openDesk, SHELL } from "../support/in-process.ts";
import { openRepository } from "../support/repository.ts";

const commands = await loadCommands();

/** A list that could be in a better order, a requirement without a task, and a ticked task to prove. */
const LIST = `${TASKS.replace("1.2 Second", "1.2 [BLOCKER] Second")}- [x] 1.4 Fourth\n  - **Verify**: \`touch ran\`\n`;
const other = makePlace(specum, {
  "specs/demo/tasks.md": LIST,
  "specs/demo/requirements.md": "# Requirements\n\n### US-1: A story\n\n- AC-1.1: It works\n",
  "code.ts": "export const one = 1;\n",
});
const { git, commit } = openRepository(other.root, other.env["HOME"] as string);
git("init", "-q", "-b", "main");
commit({}, "begin");
const here = openDesk(makePlace(specum));

const photograph = (): object =>
  Object.fromEntries(
    readdirSync(other.root, { recursive: true, encoding: "utf8" })
      .map((name) => [name, join(other.root, name)] as const)
      .filter(([, path]) => statSync(path).isFile())
      .map(([name, path]) => [name, readFileSync(path, "base64")]),
  );

/** As an agent types it, with `-C`. */
function runThere(
  { name, args = [], shellOnly }: NamedCommand,
  more: readonly string[],
): Promise<Ran> {
  const needed = args.filter((one) => one.startsWith("<")).map(() => "1.1");
  const argv = [...name.split(" "), ...needed, ...more, "-C", other.root];
  return here.run(argv, { ...AGENT, ...(shellOnly === true ? SHELL : {}) });
}

const REFUSAL = /-C is for people/;

describe("an agent looks at another folder and changes nothing there", () => {
  // The demo takes its time, in a temporary project.
  const look = commands.filter(({ group, name }) => group === "look" && name !== "demo");

  it.each(look.map((command) => [command.name, command] as const))("%s", async (_, command) => {
    const before = photograph();
    const options = Object.entries(command.options ?? {});
    const tries = [
      { more: [], isRefused: command.writes === true },
      ...options.map(([name, { value, writes }]) => ({
        more: [`--${name}`, ...(value === undefined ? [] : ["1"])],
        isRefused: command.writes === true || writes === true,
      })),
    ];
    for (const { more, isRefused } of tries) {
      const { err } = await runThere(command, more);
      expect(photograph(), more.join(" ")).toEqual(before);
      expect(REFUSAL.test(err), `${more.join(" ")}: ${err}`).toBe(isRefused);
    }
  });
});

it.each(
  commands
    .filter(({ group }) => group !== "look")
    .map((command) => [command.name, command] as const),
)("an agent does not act in another folder: %s", async (_, command) => {
  expect((await runThere(command, [])).err).toMatch(REFUSAL);
});
