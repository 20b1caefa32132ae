import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Ask } from "../../test/e2e/ask.ts";
import type { Script } from "../../test/e2e/model.ts";
import { type Answer, bash, type ToolCall } from "../../test/e2e/wire.ts";
import { documents, SPEC } from "./documents.ts";
import type { Stage } from "./stage.ts";
import { commitLine, workFor } from "./work.ts";

const agent = (type: string, description: string, prompt: string): Answer => ({
  call: [{ name: "Agent", input: { subagent_type: type, description, prompt } }],
  // Long enough for what was said before to be filmed.
  delayMs: 600,
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

const SUMMARY = `research.md is written and has passed its check:

- One handler takes every request, so a limit fits in front of it (server.mjs:4).
- Callers are told apart by their x-api-key.
- Open: whether limits differ by caller. Assumed: they do not.

/ralph-specum:requirements approves it and goes on; or tell me what to change.`;

const THE_END = `Each key may send ten requests a second now; the eleventh gets 429 with Retry-After.

ALL_TASKS_COMPLETE`;

/** Plays both the coordinator and its sub-agents. Only the words are made up: what they run really runs. */
export function storyteller({ root }: Stage): Script {
  const turns = new Map<string, number>();
  /** What the coordinator does when its question is answered. */
  let next: Answer = "";

  function coordinate({ news, text, result }: Ask): Answer {
    if (result?.includes("Ten a second") === true) return next;
    if (news.includes("Undo: ")) return "It is ready to merge.";
    if (news.includes("<bash-stdout>"))
      return "Two are proven, 1.2 after one refusal; the failing test and the check are so by design.";
    if (news.includes("passed its check and waits for the user")) return SUMMARY;
    const [, reviewer] = /a last review of the whole change\. .*"review": (\S+)/.exec(news) ?? [];
    if (reviewer !== undefined) return agent(reviewer, "Review the whole change", "review");
    if (/^All tasks \(\d+\) of /m.test(news)) return THE_END;
    const [, task, executor = "", title] =
      /^Task (\S+) → ([^\s:]+:[^\s:]+): (.*)$/m.exec(news) ?? [];
    if (task !== undefined) return agent(executor, `${task} ${title}`, task);
    const [, document, writer = ""] =
      /It ends with \S+\/(\S+\.md)\.[^]*sub-agent `(\S+)`/.exec(news) ?? [];
    if (document === undefined) return "Noted.";
    next = agent(writer, `Write ${document}`, "Go.");
    return text.includes("AskUserQuestion") ? QUESTION : next;
  }

  /** The client lets nobody write over a file that they have not read. */
  function put(file: string, content: string): ToolCall[] {
    const file_path = join(root, file);
    const written = { name: "Write", input: { file_path, content } };
    return existsSync(file_path) ? [{ name: "Read", input: { file_path } }, written] : [written];
  }

  function execute(id: string, ask: Ask): Answer {
    if (ask.result !== undefined) return "Written and committed.\nTASK_COMPLETE";
    // Whoever is sent back tries again.
    const name = ask.agentId ?? ask.order;
    const turn = (turns.get(name) ?? 0) + 1;
    turns.set(name, turn);
    const works = workFor(id, turn);
    return {
      call: works.flatMap((work) => [...put(work.file, work.text), bash(commitLine(work))]),
    };
  }

  function write(document: string, { result }: Ask): Answer {
    if (result !== undefined) return `${document} is written.`;
    return { call: put(`${SPEC}/${document}`, documents[document] as string) };
  }

  return (ask) => {
    if (ask.order.startsWith("# Last review of ")) return "Good: small and tested.\nREVIEW_PASS";
    const task = /^# Task (\S+) of /m.exec(ask.order)?.[1];
    if (task !== undefined) return execute(task, ask);
    const document = /^Write \S+\/(\S+\.md): /m.exec(ask.order)?.[1];
    return document === undefined ? coordinate(ask) : write(document, ask);
  };
}
