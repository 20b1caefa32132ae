import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { loadCommands } from "../../src/apps/cli/commands.ts";
import { specum } from "../support/editions.ts";
import { expectRefusal, makePlace } from "./support.ts";

const commands = await loadCommands();

const place = makePlace(specum, { "specs/$(touch owned)/tasks.md": "- [ ] 1.1 a\n" });
const script = (shell: string): string => place.run(["completion", shell]).out;
const has = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

describe.each(["bash", "zsh", "fish"])("completion %s", (shell) => {
  it("knows every command for people and agents, and no spec", () => {
    const text = script(shell);
    for (const { name, group } of commands)
      for (const word of name.split(" "))
        expect(new RegExp(`\\b${word}\\b`).test(text), word).toBe(group !== "hook");
    expect(text).not.toContain("owned");
    expect(text).not.toContain("demo/");
  });

  // Only shells that are installed can be asked.
  it.runIf(has(shell))("is a script that the shell accepts", () => {
    const path = join(place.root, `completion.${shell}`);
    writeFileSync(path, script(shell));
    const { status, stderr } = spawnSync(shell, ["-n", path]);
    expect({ status, err: String(stderr) }).toEqual({ status: 0, err: "" });
  });
});

it.runIf(has("bash")).each<[words: string[], offers: string[]]>([
  [["sta"], ["start", "status"]],
  [
    ["tasks", "l"],
    ["list", "lint"],
  ],
  [["epic", "st"], ["status"]],
  [["-C", "x", "status", "--w"], ["--watch"]],
  [
    ["start", "--tasks-size", ""],
    ["fine", "coarse"],
  ],
  [["agent", "done", "1.1", "--report", ""], []],
  [["agent", "sp"], ["split"]],
  [["epic", "re"], ["remove"]],
])("bash completes %j with %j", (words, offers) => {
  const lines = `${script("bash")}
COMP_WORDS=(ralph-specum ${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length}
_ralph_specum; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = spawnSync("bash", ["--norc", "-c", lines], { cwd: place.root });
  expect(String(stdout).split("\n").filter(Boolean)).toEqual(offers);
});

it("names the shells that it knows", () => {
  expectRefusal(
    place.run(["completion", "csh"]),
    EXIT.usage,
    /no completion for "csh"; there is: bash, zsh, fish/,
  );
  expectRefusal(place.run(["completion"]), EXIT.usage, /completion needs <bash\|zsh\|fish>/);
});
