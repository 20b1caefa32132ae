import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { CLIENTS } from "../support/client-marks.ts";
import { specum } from "../support/editions.ts";
import { atDepth, belowDeadThread, deadThreadMissing } from "../support/hidden-process.ts";
import { writeLease } from "../support/lease.ts";
import { REPOSITORY } from "./child.ts";
import { report } from "./claims.ts";
import {
  expectRefusal,
  IN_SESSION,
  makePlace,
  type Place,
  SESSION,
  startPlace,
} from "./support.ts";

const MARK = { SMART_RALPH_DRIVEN: "run-1" };
const MARKED = { env: { ...IN_SESSION.env, ...MARK } };
const SAYS = /SMART_RALPH_DRIVEN.*"env" in settings\.json/;
const TWO_MINUTES = 120_000;

const homeOf = (place: Place): string => place.env["HOME"] as string;

describe("with the mark in its environment, a hook", () => {
  it("stands down while the run that it names is at work", () => {
    const place = startPlace(specum);
    writeLease(homeOf(place));
    expect(place.stop({}, { env: MARK })).toEqual({});
    expect(place.hook("expansion", { prompt: "/ralph-specum:implement" }, MARKED).out).toBe("");
    const agent = { agent_id: "a", agent_type: "ralph-specum:spec-executor" };
    const input = JSON.stringify({ session_id: SESSION, cwd: place.root, ...agent });
    expect(place.run(["subagent-stop"], { ...MARKED, input }).out).toBe("");
    const done = place.run(["done", "1.1", "--report", "TASK_COMPLETE"], MARKED);
    expectRefusal(done, EXIT.refused, /belongs to another session/);
    expect(place.stop().decision).toBe("block");
  });

  it.each([
    ["names a run that is not there", () => {}],
    [
      "names a run without a heartbeat",
      (place: Place) => writeLease(homeOf(place), new Date(Date.now() - TWO_MINUTES - 1000)),
    ],
  ])("goes on with the user's run if it %s", (_, prepare) => {
    const place = startPlace(specum);
    prepare(place);
    expect(place.stop({}, { env: MARK }).decision).toBe("block");
    expect(place.run(["done", "1.1", "--report", "TASK_COMPLETE"], MARKED).code).toBe(0);
  });

  it("goes on if it names another run than the one at work", () => {
    const place = startPlace(specum);
    writeLease(homeOf(place));
    const env = { SMART_RALPH_DRIVEN: "run-2" };
    expect(place.stop({}, { env }).decision).toBe("block");
  });

  it("takes no command for the user's, and says so in one line", () => {
    const place = makePlace(specum);
    const line = "/ralph-specum:implement demo";
    const { out } = place.hook("expansion", { prompt: line }, MARKED);
    expect((JSON.parse(out) as { systemMessage: string }).systemMessage).toMatch(SAYS);
    expectRefusal(place.run(["implement", "--typed", SESSION], MARKED), EXIT.refused, SAYS);
    expect(place.state()).toBeUndefined();
  });

  it("says so too where the hook itself carries out what was typed", () => {
    const place = makePlace(specum);
    const said = { prompt: "/ralph-specum:implement demo" };
    const { out } = place.hook("prompt", said, { host: "codex", env: MARK });
    expect(out).toMatch(/This command was refused.*SMART_RALPH_DRIVEN.*settings/);
    expect(place.state()).toBeUndefined();
  });
});

describe("another client's variable, where the user types", () => {
  const line = "/ralph-specum:implement demo";

  it("is named by a line in Claude Code", () => {
    const place = makePlace(specum);
    const env = { ...CLIENTS.claude.hook, GEMINI_CLI: "1" };
    const { out } = place.hook("expansion", { prompt: line }, { env });
    const { systemMessage } = JSON.parse(out) as { systemMessage: string };
    expect(systemMessage).toMatch(/GEMINI_CLI is set in this client.*unset GEMINI_CLI/);
    expect(systemMessage).not.toContain("SMART_RALPH_DRIVEN");
    const other = { prompt: "/other:implement demo" };
    expect(place.hook("expansion", other, { env }).out).toBe("");
    expect(place.hook("expansion", { prompt: line }, { env: CLIENTS.claude.hook }).out).toBe("");
  });

  it.each(["qwen", "codex", "gemini", "opencode", "copilot"] as const)(
    "is named by the model in %s, whose commands the hook runs",
    (host) => {
      const place = makePlace(specum);
      const env = { ...CLIENTS[host].hook, CLAUDECODE: "1" };
      const say = (text: string): string =>
        place.hook(
          "prompt",
          { prompt: text, submitted_prompt: text, session: SESSION },
          { host, env },
        ).out;
      expect(say(line)).toMatch(/This command was refused.*CLAUDECODE is set in this client/);
      expect(say("hello")).not.toContain("CLAUDECODE");
      expect(place.state()).toBeUndefined();
    },
  );
});

const hasScript = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;

describe.runIf(process.platform === "linux" && hasScript)(
  `what a Verify starts is not the user${hasScript ? "" : " (skipped: there is no `script` here)"}`,
  () => {
    const program = join(REPOSITORY, "plugins/ralph-specum/bin/ralph-specum");
    const tries = ["accept 1.2", "answer 1 yes", "skip 1.2", "approve", "pause", "cancel"];
    const bare = `env -i HOME="$HOME" PATH="$PATH"`;
    const check = tries
      .map((one) => `${bare} script -qec '${program} ${one}' /dev/null >> said.txt 2>&1\n`)
      .join("");

    /** A run in a client, with a question that waits, whose first task has this script for its Verify. */
    function begin(): Place {
      const place = makePlace(specum, {
        "specs/demo/tasks.md": "- [ ] 1.1 First\n  - **Verify**: `sh check.sh`\n- [ ] 1.2 Second\n",
        "check.sh": "exit 1\n",
      });
      expect(place.slash(["implement", "demo"]).code).toBe(0);
      expect(place.run(["ask", "Pay?", "--task", "1.2"], IN_SESSION).code).toBe(0);
      return place;
    }
    const refusals = (place: Place): string[] =>
      readFileSync(join(place.root, "said.txt"), "utf8").match(/only the user can run \w+/g) ?? [];

    const missing = deadThreadMissing();
    const WAYS = [
      { name: "below 40 other processes", wrap: (command: string) => atDepth(40, command) },
      { name: "below one that nobody can look into", why: missing, wrap: belowDeadThread },
    ];
    for (const { name, why, wrap } of WAYS)
      it.skipIf(why !== undefined)(`${name}${why ?? ""}`, () => {
        const place = begin();
        const said = join(place.root, "said.txt");
        const ask = `${bare} script -qec '${program} accept 1.2' /dev/null >> ${said} 2>&1`;
        writeFileSync(join(place.root, "check.sh"), `${wrap(ask)}\n:\n`);
        expect(report(place, "TASK_COMPLETE", "1.1").code).toBe(0);
        expect(refusals(place)).toEqual(["only the user can run accept"]);
        expect(place.tasks()).toContain("- [ ] 1.2");
      });

    it("when the agent's report is checked", () => {
      const place = begin();
      writeFileSync(join(place.root, "check.sh"), `${check}exit 0\n`);
      expect(report(place, "TASK_COMPLETE", "1.1").code).toBe(0);
      expect(refusals(place)).toEqual(
        tries.map((one) => `only the user can run ${one.split(" ")[0]}`),
      );
      expect(place.entries().map(({ event }) => event)).not.toContain("accepted");
      expect(place.state()).toMatchObject({ phase: "execution" });
    });
  },
);

it("doctor names the mark, which would make every command an agent's", () => {
  const place = makePlace(specum);
  expect(place.run(["doctor"], { env: MARK }).out).toMatch(
    /SMART_RALPH_DRIVEN is set here.*no command from here counts as yours/,
  );
  expect(place.run(["doctor"]).out).not.toContain("SMART_RALPH_DRIVEN");
});
