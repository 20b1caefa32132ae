import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ask } from "../../test/e2e/ask.ts";
import type { Script } from "../../test/e2e/model.ts";
import type { Answer, ToolCall } from "../../test/e2e/wire.ts";
import design from "./story/design.md";
import requirements from "./story/requirements.md";
import research from "./story/research.md";
import tasks from "./story/tasks.md";

export const GOAL = "add rate limiting to the API";
const SPEC = "specs/add-rate-limiting-api";

const documents: Readonly<Record<string, string>> = {
  "research.md": research,
  "requirements.md": requirements,
  "design.md": design,
  "tasks.md": tasks,
};

/** The small project in the pictures, in its own home. */
export interface Stage {
  readonly home: string;
  readonly root: string;
  write(name: string, text: string): void;
  remove(): void;
}

export function makeStage(): Stage {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "smart-ralph-record-"));
  const root = join(home, "orders-api");
  const write = (name: string, text: string): void => writeFileSync(join(root, name), text);
  mkdirSync(root);
  write("package.json", `{ "type": "module", "scripts": { "test": "node --test" } }\n`);
  write("server.mjs", SERVER);
  write("server.test.mjs", SERVER_TEST);
  const git = (...args: string[]): void =>
    void execFileSync("git", args, { cwd: root, env: gitEnv(home) });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "You");
  git("config", "user.email", "you@localhost");
  git("add", ".");
  git("commit", "--quiet", "-m", "feat: list the orders");
  return {
    home,
    root,
    write,
    // The client's last writes to its home may still be on their way.
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 9, retryDelay: 200 }),
  };
}

const gitEnv = (home: string): NodeJS.ProcessEnv => ({ PATH: process.env["PATH"], HOME: home });

/** Puts the documents of the story there, as if the phases had been gone through before. */
export function writeDocuments(stage: Stage): void {
  mkdirSync(join(stage.root, SPEC), { recursive: true });
  for (const [name, text] of Object.entries(documents)) stage.write(`${SPEC}/${name}`, text);
}

const SERVER = `import { createServer } from "node:http";

export const server = () =>
  createServer((request, response) => {
    // Callers are told apart by their key.
    const key = request.headers["x-api-key"] ?? "";
    response.end(JSON.stringify({ orders: [], key }));
  });
`;

const SERVER_TEST = `import assert from "node:assert";
import { test } from "node:test";
import { server } from "./server.mjs";

test("lists the orders", async () => {
  const own = server().listen(0);
  const answer = await fetch(\`http://127.0.0.1:\${own.address().port}\`);
  own.close();
  assert.equal(answer.status, 200);
});
`;

const LIMIT_TEST = `import assert from "node:assert";
import { test } from "node:test";
import { allow } from "./limit.mjs";

test("ten pass, the eleventh waits", () => {
  for (let i = 0; i < 10; i++) assert.equal(allow("a", i), 0);
  assert.equal(allow("a", 10), 990);
});

test("another key is none of its business", () => {
  assert.equal(allow("b", 10), 0);
});
`;

/** One count for all keys: what looks done and is not. */
const LIMIT_WRONG = `const seen = [];

export function allow(key, now) {
  while (seen[0] <= now - 1000) seen.shift();
  if (seen.length >= 10) return seen[0] + 1000 - now;
  seen.push(now);
  return 0;
}
`;

const LIMIT = `const seen = new Map();

export function allow(key, now) {
  const times = (seen.get(key) ?? []).filter((time) => time > now - 1000);
  seen.set(key, times);
  if (times.length >= 10) return times[0] + 1000 - now;
  times.push(now);
  return 0;
}
`;

const LIMITED_SERVER = SERVER.replace(
  `import { createServer } from "node:http";\n`,
  `import { createServer } from "node:http";\nimport { allow } from "./limit.mjs";\n`,
).replace(
  `    response.end(`,
  `    const wait = allow(key, Date.now());
    if (wait > 0) return response.writeHead(429, { "retry-after": Math.ceil(wait / 1000) }).end();
    response.end(`,
);

const RETRY_TEST = SERVER_TEST.replace("lists the orders", "says when to come back").replace(
  "  own.close();\n  assert.equal(answer.status, 200);",
  `  assert.equal(answer.status, 200);
  const all = await Promise.all(Array.from({ length: 10 }, () => fetch(answer.url)));
  own.close();
  assert.equal(all.find(({ status }) => status === 429)?.headers.get("retry-after"), "1");`,
);

interface Work {
  readonly file: string;
  readonly text: string;
  readonly commit: string;
}

/** What the executor of each task writes, try by try. */
const WORK: Readonly<Record<string, readonly (readonly Work[])[]>> = {
  "1.1": [
    [
      {
        file: "limit.test.mjs",
        text: LIMIT_TEST,
        commit: "test(api): the eleventh request is refused",
      },
    ],
  ],
  "1.2": [
    [
      {
        file: "limit.mjs",
        text: LIMIT_WRONG,
        commit: "feat(api): ten requests a second for each key",
      },
    ],
    [{ file: "limit.mjs", text: LIMIT, commit: "fix(api): count each key by itself" }],
  ],
  "1.3": [
    [
      { file: "server.mjs", text: LIMITED_SERVER, commit: "feat(api): 429 with Retry-After" },
      { file: "retry.test.mjs", text: RETRY_TEST, commit: "test(api): Retry-After" },
    ],
  ],
};

/** Does a task for real, as its executor would: the n-th try at it. */
export function play(stage: Stage, id: string, attempt = 1): void {
  execFileSync("sh", ["-c", commandsFor(id, attempt)], {
    cwd: stage.root,
    env: gitEnv(stage.home),
  });
}

function commandsFor(id: string, attempt: number): string {
  const works = WORK[id] ?? [];
  return (works[attempt - 1] ?? [])
    .flatMap(({ file, text, commit }) => [
      put(file, text),
      `git add ${file} && git commit -qm '${commit}'`,
    ])
    .join("\n");
}

const bash = (command: string, description: string): ToolCall => ({
  name: "Bash",
  input: { command, description },
});

const put = (file: string, text: string): string => `cat > ${file} <<'END'\n${text}END`;

const agent = (type: string, description: string): Answer => ({
  call: [
    {
      name: "Agent",
      input: { subagent_type: type, description, prompt: `${description}.` },
    },
  ],
});

const QUESTION: Answer = {
  call: [
    {
      name: "AskUserQuestion",
      input: {
        questions: [
          {
            question: "How many requests may one caller send?",
            header: "Limit",
            multiSelect: false,
            options: [
              { label: "Ten a second", description: "What the slowest endpoint can bear today" },
              { label: "A hundred a minute", description: "The same on average, with bursts" },
            ],
          },
        ],
      },
    },
  ],
};

const SUMMARY = `research.md is ready:

- One handler takes every request, so a limit fits in front of it (server.mjs:4).
- Callers are told apart by their x-api-key.
- Open: whether limits differ by caller. Assumed: they do not.

/ralph-specum:requirements approves it and goes on; or tell me what to change.`;

/** Plays both the coordinator and its sub-agents. Only the words are made up: what they run really runs. */
export function storyteller(): Script {
  const turns = new Map<string, number>();
  /** What the coordinator has given out and is about to report. */
  let next: Answer | undefined;
  let out: { readonly task?: string; readonly document?: string } = {};

  function coordinate(ask: Ask): Answer {
    if (/<summary>Agent ".*" finished<\/summary>/.test(ask.news)) return report();
    if (ask.result?.includes("Ten a second") === true) return next as Answer;
    if (ask.result !== undefined) return afterTool(ask.result);
    const [, task = "", type = ""] = /^Task (\S+) → ([^\s:]+:[^\s:]+): /m.exec(ask.news) ?? [];
    if (task !== "") {
      out = { task };
      return agent(type, `Do task ${task}`);
    }
    const [, reviewer] =
      /a last review of the whole change\. Start (\S+) once/.exec(ask.text) ?? [];
    if (reviewer !== undefined) return agent(reviewer, "Review the change");
    const [, document = "", writer = ""] =
      /It ends with \S+\/(\S+\.md)\.[^]*sub-agent `(\S+)`/.exec(ask.text) ?? [];
    if (document === "") return "Noted.";
    out = { document };
    next = agent(writer, `Write ${document}`);
    return ask.text.includes("AskUserQuestion") ? QUESTION : next;
  }

  function report(): Answer {
    const { task, document } = out;
    out = {};
    if (document !== undefined) return { call: [bash("ralph-specum submit", "Have it checked")] };
    if (task === undefined) return "ALL_TASKS_COMPLETE";
    const signal = task === "V4" ? "VERIFICATION_PASS" : "TASK_COMPLETE";
    return { call: [bash(`ralph-specum done ${task} --report ${signal}`, "Report it")] };
  }

  function afterTool(result: string): Answer {
    if (out.task !== undefined) return `Task ${out.task} is under way.`;
    if (out.document !== undefined) return `${out.document} is being written.`;
    if (/tasks are done\./.test(result)) return "ALL_TASKS_COMPLETE";
    if (result.includes("waits for the user's approval")) return SUMMARY;
    return "Reported; over to the next.";
  }

  function execute(id: string, ask: Ask): Answer {
    const name = ask.agentId ?? ask.order;
    const turn = (turns.get(name) ?? 0) + (ask.result === undefined ? 1 : 0);
    turns.set(name, turn);
    const isCheck = id === "V4";
    if (ask.result !== undefined) {
      return isCheck
        ? "All tests pass.\nVERIFICATION_PASS"
        : "Written and committed.\nTASK_COMPLETE";
    }
    if (isCheck) return { call: [bash("npm test", "Run all tests")] };
    return { call: [bash(commandsFor(id, turn), "Write it and commit")] };
  }

  function write(document: string, ask: Ask): Answer {
    if (ask.result !== undefined) return `${document} is written and passes its check.`;
    const command = put(`${SPEC}/${document}`, documents[document] as string);
    return { call: [bash(`${command}\nralph-specum check ${document}`, "Write it and check it")] };
  }

  return (ask) => {
    if (/^Review the change\.$/m.test(ask.order)) return "Good: small and tested.\nREVIEW_PASS";
    const task = /^Do task (\S+)\.$/m.exec(ask.order)?.[1];
    if (task !== undefined) return execute(task, ask);
    const document = /^Write (\S+\.md)\.$/m.exec(ask.order)?.[1];
    return document === undefined ? coordinate(ask) : write(document, ask);
  };
}
