import { execFile } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { askClient } from "../../../src/hosts/codex/ask-client.ts";
import { pluginDir, specum } from "../place.ts";
import { makeProject } from "../project.ts";
import { expectFinished } from "../stage.ts";
import { checkedTasks, outputOf } from "../team.ts";
import { installAdapter, installClientNode, type Seat } from "./adapter.ts";
import { codex, execWith, KEY } from "./codex.ts";
import { reportOn } from "./scenarios/scenario.ts";
import { baseEnv, headlessSession } from "./session.ts";
import { stageOf } from "./suite.ts";

const run = promisify(execFile);

/** As a user has it: the client is on the path. */
function onPath(seat: Seat): NodeJS.ProcessEnv {
  const bin = join(seat.place.home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "codex"), `#!/bin/sh\nexec '${seat.node}' '${seat.client}' "$@"\n`);
  chmodSync(join(bin, "codex"), 0o755);
  const env = baseEnv(seat);
  return { ...env, PATH: `${bin}:${env["PATH"]}` };
}

/** What the client writes into its settings when the user says that the folder and the hooks are trusted. */
async function trust({ place }: Seat, env: NodeJS.ProcessEnv): Promise<void> {
  const question = { method: "hooks/list", params: { cwds: [place.root] } };
  const [answer = {}] = await askClient(place.root, env, [question]);
  const [{ hooks }] = answer["data"] as [{ hooks: { key: string; currentHash: string }[] }];
  const lines = hooks.flatMap(({ key, currentHash }) => {
    const [hook, content] = currentHash.split("/");
    const hashes = [`trusted_hash = "${hook}"`, `trusted_content_hash = "${content}"`];
    return [`[hooks.state."${key}"]`, ...hashes];
  });
  const folder = [`[projects."${place.root}"]`, 'trust_level = "trusted"'];
  appendFileSync(join(place.home, ".codex/config.toml"), `\n${[...folder, ...lines].join("\n")}\n`);
}

test("installed by `init`, and trusted, it needs neither a flag nor an answer: agents commit in the client's own sandbox", async ({
  skip,
}) => {
  const place = makeProject(specum, 2, checkedTasks());
  onTestFinished(() => place.remove());
  const [client, node] = await Promise.all([installAdapter(codex), installClientNode()]);
  const seat = { place, client, node };
  const env = onPath(seat);
  const options = { cwd: place.root, env };
  const program = async (...words: string[]): Promise<string> =>
    (await run(join(pluginDir(specum), "bin", specum.plugin), words, options)).stdout;

  expect(await program("init", "--client", "codex")).toContain("Nothing is done yet");
  expect(place.has(".codex")).toBe(false);
  expect(await program("init", "--client", "codex", "--yes")).not.toContain("✗");
  expect(place.git("status", "--short")).toBe("");
  expect(await program("doctor")).toContain("only after you have trusted them");
  await trust(seat, env);
  const found = await program("doctor");
  expect(found).toContain("its hooks are trusted");
  expect(found).toContain("agents can commit");

  const isBoxed = await run("codex", ["sandbox", "--", "true"], options).then(
    () => true,
    () => false,
  );
  if (!isBoxed) skip("the client's sandbox does not work on this machine");
  const stage = stageOf(codex);
  const isWritten = new Set<string>();
  const { script } = stage.player(place, {
    executor({ id, worked }) {
      const file = outputOf(id);
      if (!worked) return stage.run(`echo ${id} > ${file}`);
      if (isWritten.has(id)) return reportOn(id);
      isWritten.add(id);
      // A line of its own, as it is told to: only such a line leaves the sandbox.
      return stage.run(`git add -- ${file} && git commit -m 'part ${id}' -- ${file}`);
    },
  });
  const { url } = await stage.model(script, { main: 10 });
  const session = headlessSession(
    { ...seat, url },
    {
      by: node,
      env: { [KEY]: "not-a-key" },
      args: (prompt) => execWith(url, prompt, { flags: [] }),
      sessionIn: () => undefined,
    },
  );
  const { output } = await session.say(stage.type("implement demo"));
  expect(output).not.toContain("bypass");
  expect(place.open(), output).toEqual([]);
  expectFinished(place);
});
