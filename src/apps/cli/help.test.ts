import { describe, expect, it } from "vitest";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import { loadCommands } from "./commands.ts";
import { EVERYDAY, renderAgentHelp, renderAll, renderHelp } from "./help.ts";
import { SYNONYMS } from "./synonyms.ts";

const commands = await loadCommands();

const names = new Set(commands.map(({ name }) => name));

describe("help in a shell", () => {
  const lines = renderHelp(commands, SHELL_PROGRAM, "10.10.10").split("\n");

  it("shows twelve commands in four groups", () => {
    const listed = Object.values(EVERYDAY).flat();
    expect(listed.filter((name) => !names.has(name))).toEqual([]);
    expect([Object.keys(EVERYDAY).length, new Set(listed).size]).toEqual([4, 12]);
    const rows = lines.filter((line) => line.startsWith("  ")).map((line) => line.trim());
    expect(rows.map((row) => row.split(" ", 1)[0])).toEqual(listed);
  });

  it("fits on a screen of 80 columns and 24 lines, with the prompt below it", () => {
    expect(lines.length).toBeLessThan(24);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it("leaves agents' commands to a page of their own, but not in a plugin's program", () => {
    const agents = renderAgentHelp(commands, SHELL_PROGRAM);
    expect(renderAll(commands, SHELL_PROGRAM, "1")).not.toMatch(/^ {2}done /m);
    expect(agents).toMatch(/^ {2}agent done <task> /m);
    expect(renderAll(commands, "ralph-specum", "1")).toMatch(/^ {2}done <task> /m);
  });
});

it("every word that people try leads to a command, and is not one", () => {
  for (const [word, meant] of Object.entries(SYNONYMS)) {
    expect(names.has(word), word).toBe(false);
    expect(meant.filter((name) => !names.has(name))).toEqual([]);
  }
});
