import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fillFolder, makeFolder } from "../../../test/program/temporary.ts";
import { askClient } from "./ask-client.ts";

/** A client that says this when it is started, and ends when its input does. */
function clientThat(says: string): { root: string; env: { PATH: string } } {
  const bin = fillFolder(makeFolder(), { codex: `#!/bin/sh\n${says}\n` });
  chmodSync(join(bin, "codex"), 0o755);
  return { root: bin, env: { PATH: `${bin}:/usr/bin:/bin` } };
}

const QUESTIONS = [
  { method: "hooks/list", params: {} },
  { method: "config/read", params: {} },
];

it.runIf(process.platform !== "win32").each([
  [
    "that answers in its own order, and says other things in between",
    `echo '{"id":2,"result":{}}'; echo noise; echo '{"method":"x"}'; echo '{"id":1,"result":{"b":2}}'; echo '{"id":0,"result":{"a":1}}'; cat >/dev/null`,
    [{ a: 1 }, { b: 2 }],
  ],
  [
    "that does not know a question",
    `echo '{"id":0,"error":{}}'; echo '{"id":1,"result":{"b":2}}'`,
    [undefined, { b: 2 }],
  ],
  ["that ends at once", "exit 1", [undefined, undefined]],
])("a client %s", async (_, says, answers) => {
  const { root, env } = clientThat(says);
  expect(await askClient(root, env, QUESTIONS)).toEqual(answers);
});

it("a client that is not there", async () => {
  expect(await askClient(makeFolder(), { PATH: "/no/such/folder" }, QUESTIONS)).toEqual([
    undefined,
    undefined,
  ]);
});
