import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hosts } from "../../src/hosts/all.ts";

/** Lint checks the imports; what the text of a file may say is checked here. */
const source = (readdirSync("src", { recursive: true }) as string[])
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => ({ name, text: readFileSync(join("src", name), "utf8") }));

const filesWith = (pattern: RegExp): string[] =>
  source.filter(({ text }) => pattern.test(text)).map(({ name }) => name);

it("only the folders of agents and clients know any; a list of programs may name them", () => {
  const named = filesWith(/claude|codex|gemini|qwen|copilot|opencode/i);
  // One client runs our code in its own process.
  const others = named.filter((name) => !/^(?:agents|hosts|apps\/opencode)\//.test(name));
  // Whoever types a name needs an example.
  expect(others).toEqual(["run/agent-choice.ts", "tasks/verify-command.ts"]);
});

it("no client takes anything from another's folder: what two share is beside them", () => {
  const clients = hosts.map(({ name }) => name).join("|");
  const others = filesWith(new RegExp(`from "\\.\\./(?:${clients})/`));
  expect(others).toEqual([]);
  // Whatever else wants one of them asks these lists.
  const lists = filesWith(new RegExp(`from "(?:\\./|(?:\\.\\./)+hosts/)(?:${clients})/`));
  expect(lists.filter((name) => !name.startsWith("agents/"))).toEqual(
    ["all", "first", "packages", "setups"].map((name) => `hosts/${name}.ts`),
  );
});

it("nobody asks which client it is: a host says what differs", () => {
  expect(filesWith(/\bhost\.name\s*[!=]==/)).toEqual([]);
});

it("nobody asks which layout it is: a layout says what differs", () => {
  expect(
    filesWith(/\blayout\.id\s*[!=]==|"spec(?:um|kit)"\s*[!=]==|[!=]== "spec(?:um|kit)"/),
  ).toEqual([]);
});

it("no source file is longer than 250 lines", () => {
  const long = source.filter(({ text }) => text.split("\n").length > 251);
  expect(long.map(({ name }) => name)).toEqual([]);
});

it("the engine and everything below it leave the process alone", () => {
  const outside = filesWith(/\bprocess\.(?:argv|stdout|stderr|exit|exitCode|on|once)\b/);
  expect(
    outside.filter(
      (name) => !/^(?:apps|hosts\/claude\/demo-client|hosts\/opencode\/plugin\/plugin)/.test(name),
    ),
  ).toEqual([]);
});
