import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fewOf, isFull } from "../../support/full.ts";
import { checkedTasks } from "../team.ts";
import { type Adapter, installAdapter, installClientNode } from "./adapter.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { openServer } from "./opencode-server.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";
import { stageOf } from "./suite.ts";

const TIME = { timeout: 200_000 };

interface Started {
  readonly node: string;
  readonly client: string;
  readonly url: string;
  readonly line: string;
}

/** The agent's client, the one that it starts, and how. */
const PAIRS: [Adapter, Adapter, (started: Started) => string][] = [
  [claude, claude, ({ client, line }) => `'${client}' -p '${line}'`],
  [qwen, qwen, ({ node, client, line }) => `'${node}' '${client}' --yolo --prompt '${line}'`],
  [
    codex,
    gemini,
    ({ node, client, url, line }) =>
      `env GEMINI_API_KEY=made-up GEMINI_CLI_TRUST_WORKSPACE=true GEMINI_CLI_NO_RELAUNCH=true GOOGLE_GEMINI_BASE_URL='${url}' '${node}' '${client}' --yolo --model=gemini-2.5-flash -p '${line}'`,
  ],
];

describe.each(fewOf(PAIRS))("an agent of $name", (outer, inner, start) => {
  test(`is not the user of a ${inner.name} that it starts`, TIME, async () => {
    const stage = stageOf(outer);
    const project = await stage.project(1, checkedTasks());
    const [client, node] = await Promise.all([installAdapter(inner), installClientNode()]);
    if (inner !== outer) await inner.install({ place: project, client, node });
    const line = inner.type(stage.layout, "cancel demo");
    let steps = 0;
    const model = await stage.model(
      () => {
        if (steps++ > 0) return "Noted.";
        const nested = start({ node, client, url: model.url, line });
        return stage.run(`${nested} </dev/null; echo "ended: $?"`);
      },
      { main: 30 },
    );
    const session = await stage.open(project, model);
    const { output } = await session.say(stage.type("implement demo"));
    // The client did start, and its model heard the command or why it was not run.
    const heard = model.asks.map(({ news }) => news).join("\n");
    expect(heard, output).toMatch(/ended: 0/);
    expect(model.asks.some(({ news }) => news.includes("cancel"))).toBe(true);
    expect(project.journal().map(({ event }) => event)).not.toContain("cancelled");
  });
});

describe("a command of the repository's own that says one of ours", () => {
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };

  test("is not the user's word in Gemini CLI", TIME, async () => {
    const stage = stageOf(gemini);
    const project = await stage.project(1, checkedTasks());
    put(
      join(project.root, ".gemini", "commands", "review.toml"),
      `description = "Review"\nprompt = "${stage.type("implement demo")}"\n`,
    );
    const model = await stage.model(() => "Noted.", { main: 10 });
    const session = await stage.open(project, model);
    const { output } = await session.say("/review");
    expect(model.asks.map(({ news }) => news).join("\n"), output).toContain("implement demo");
    expect(project.state()).toBeUndefined();
  });

  // Gemini CLI stands for both: which prompt was typed is a matter of each client's wire, which has its own tests.
  test.runIf(isFull)("is not the user's word in OpenCode", TIME, async () => {
    const stage = stageOf(opencode);
    const project = await stage.project(1, checkedTasks());
    put(
      join(project.root, ".opencode", "command", "review.md"),
      `---\ndescription: Review\n---\n${stage.type("implement $ARGUMENTS")}\n`,
    );
    const model = await stage.model(() => "Noted.", { main: 10 });
    const [client, node] = await Promise.all([installAdapter(opencode), installClientNode()]);
    const session = await openServer({ place: project, client, node, url: model.url });
    onTestFinished(() => session.close());
    const { output } = await session.say("/review demo");
    expect(model.asks.map(({ news }) => news).join("\n"), output).toContain("implement demo");
    expect(project.state()).toBeUndefined();
  });
});
