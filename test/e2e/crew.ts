import { realpathSync } from "node:fs";
import { relative } from "node:path";
import type { Ask } from "./ask.ts";
import { besideOf, fillForm, outputOf, tasksFor } from "./documents.ts";
import type { Script } from "./model.ts";
import type { Place } from "./place.ts";
import { type Answer, bash } from "./wire.ts";

/** A document that a sub-agent is asked for. */
export interface Writing {
  readonly spec: string;
  readonly folder: string;
  readonly document: string;
  /** How often somebody was sent to write this document, or back to it, from 1. */
  readonly round: number;
}

interface Habits {
  /** What is written in the place of a document that is as it should be. */
  readonly draft?: (text: string, writing: Writing) => string;
  /** Tasks of each list. */
  readonly tasks?: number;
  /** Writers print the template themselves, as told; otherwise it is printed for them, which saves a call. */
  readonly prints?: boolean;
  /** What the main agent asks the user when the first phase begins. */
  readonly question?: string;
  /** Commands that the main agent tries of its own accord when a document waits for approval. */
  readonly eager?: Readonly<Record<string, string>>;
  /** Answers in the place of whoever asks. */
  readonly instead?: (ask: Ask, role: Role) => Answer | undefined | Promise<Answer | undefined>;
}

/** Who asks: the main agent, or a sub-agent that writes a document or does a task. */
type Role =
  | { readonly kind: "lead" }
  | { readonly kind: "writer"; readonly writing: Writing; readonly step: number }
  | { readonly kind: "executor"; readonly id: string; readonly spec: string }
  | { readonly kind: "other" };

interface Crew {
  readonly script: Script;
  /** Whom the main agent started on what, in order: `research-analyst research.md`, `spec-executor 1.1`. */
  readonly started: readonly string[];
  /** What came back to its question and to its eager commands. */
  readonly replies: readonly string[];
}

const GIT = "git -c user.name=e2e -c user.email=e2e@localhost";
const PHASE = /^ralph-\w+: phase \w+ of \w+ `[^`]+`\. It ends with (\S+)\.$/m;
const BACK = /^(\S+) is not finished(?: \(round \d+ of \d+\))?:\n((?:- .*\n)+)/m;
const AGENT = /sub-agent `([\w-]+:([\w-]+))`|Send this back to `([\w-]+:([\w-]+))`/;

const REVIEW = /a last review of the whole change\. .*"review": (\S+)/;

/** The words that end a user's command, after which nothing more happens on its own. */
export const READY = /^\S+ is ready\.$/;
export const DONE = /^ALL_TASKS_COMPLETE$/;

/**
 * Everybody who takes part in a workflow, and does as the prompts say: the main agent starts the sub-agent that is
 * named, hands in what it wrote and ends its turn; writers fill in the form that the program prints; executors do what
 * the task's Verify looks for.
 */
export function crew(place: Place, habits: Habits = {}): Crew {
  const { layout } = place;
  const { draft, tasks = 1, prints = false, instead } = habits;
  const started: string[] = [];
  const replies: string[] = [];
  const steps = new Map<string, number>();
  const rounds = new Map<string, number>();
  const writings = new Map<string, Writing>();

  function roleOf(ask: Ask): Role {
    const agent = ask.agentId;
    if (agent === undefined) return { kind: "lead" };
    const [, id, spec] = /^# Task (\S+) of \w+ (\S+)$/m.exec(ask.order) ?? [];
    if (id !== undefined) return { kind: "executor", id, spec: spec as string };
    // Whoever is sent back begins again.
    const opens = ask.result === undefined;
    const writing = opens ? writingOf(ask.order) : writings.get(agent);
    if (writing === undefined) return { kind: "other" };
    writings.set(agent, writing);
    const step = opens ? 1 : (steps.get(agent) ?? 0) + 1;
    steps.set(agent, step);
    return { kind: "writer", writing, step };
  }

  function writingOf(order: string): Writing | undefined {
    const [, whole, document] = /^Write (\S+)\/(\S+): /m.exec(order) ?? [];
    if (whole === undefined || document === undefined) return undefined;
    // Orders name the place from the root of the file system.
    const folder = relative(realpathSync(place.root), whole);
    const path = `${folder}/${document}`;
    rounds.set(path, (rounds.get(path) ?? 0) + 1);
    const spec = folder.split("/").at(-1) as string;
    return { spec, folder, document, round: rounds.get(path) as number };
  }

  function write(writing: Writing, step: number, ask: Ask): Answer {
    const { folder, document, spec } = writing;
    const command = ["template", document, "--spec", spec];
    if (prints && step === 1) return { call: [bash(`${layout.plugin} ${command.join(" ")}`)] };
    if (step > (prints ? 2 : 1)) return `Wrote ${document}.`;
    const form = (prints ? ask.result : undefined) ?? place.program(...command);
    const whole = document === "tasks.md" ? tasksFor(layout, spec, tasks) : fillForm(form);
    const content = draft?.(whole, writing) ?? whole;
    const file = `${folder}/${document.endsWith("/") ? `${document}greeting/spec.md` : document}`;
    const file_path = place.path(file);
    const beside = besideOf(layout, document).map((line) =>
      bash(`cd '${place.path(folder)}' && ${line}`),
    );
    // The client lets nobody write over a file that they have not read.
    if (place.has(file))
      return { call: [bash(`cat > '${file_path}' <<'TEXT'\n${content}\nTEXT`), ...beside] };
    return { call: [{ name: "Write", input: { file_path, content } }, ...beside] };
  }

  function execute(id: string, spec: string, ask: Ask): Answer {
    const output = outputOf(spec, id);
    if (ask.result !== undefined) return "Wrote it.\n\nTASK_COMPLETE";
    const commit = `git add ${output} && ${GIT} commit -qm 'feat: part ${id}' -- ${output}`;
    return { call: [bash(`mkdir -p out && echo ${id} > ${output} && ${commit}`)] };
  }

  function send(type: string, what: string, prompt: string): Answer {
    started.push(`${type.split(":")[1]} ${what.split(" ").at(-1)}`);
    return { call: [{ name: "Agent", input: { description: what, prompt, subagent_type: type } }] };
  }

  const sendWriter = (type: string, path: string): Answer =>
    send(type, `Write ${path.split("/").findLast(Boolean)}`, "Go.");

  /** What the main agent was told, by the user's command, by the hook or by our program. */
  function follow(told: string): Answer | undefined {
    const type = AGENT.exec(told)?.slice(1).find(Boolean) as string;
    const [, begun] = PHASE.exec(told) ?? [];
    if (begun !== undefined) return sendWriter(type, begun);
    const [, back] = BACK.exec(told) ?? [];
    if (back !== undefined) return sendWriter(type, back);
    const [, reviewer] = REVIEW.exec(told) ?? [];
    if (reviewer !== undefined) return send(reviewer, "Review all", "Review everything.");
    const [, id, executor] = /^Task (\S+) → ([\w-]+:[\w-]+): /m.exec(told) ?? [];
    return id === undefined ? undefined : send(executor as string, `Task ${id}`, id);
  }

  /** What to do after the reply to a question, or to an eager command. */
  let then: (() => Answer) | undefined;
  let hasAsked = habits.question === undefined;

  function lead(ask: Ask): Answer {
    if (then !== undefined && ask.result !== undefined) return goOn(ask.result);
    if (/^All tasks \(\d+\) of .* Tell the user/m.test(ask.news)) return "ALL_TASKS_COMPLETE";
    const [, ready] = /^.*\/(\S+) passed its check/m.exec(ask.news) ?? [];
    if (ready !== undefined) return tryOn(ready);
    // What starts an agent in the background ends the turn: its result comes with whatever is said next.
    const isTold = ask.text.includes("<command-name>");
    if (ask.result !== undefined) return follow(ask.news) ?? (isTold ? "Noted." : "Waiting.");
    if (ask.news.includes("<task-notification>")) return follow(ask.news) ?? "Noted.";
    return hasAsked ? (follow(ask.text) ?? "Noted.") : question(ask.text);
  }

  function goOn(reply: string): Answer {
    replies.push(reply);
    const next = then as () => Answer;
    then = undefined;
    return next();
  }

  function tryOn(ready: string): Answer {
    const command = habits.eager?.[ready];
    if (command === undefined) return `${ready} is ready.`;
    then = () => `${ready} is ready.`;
    return { call: [bash(command)] };
  }

  function question(told: string): Answer {
    hasAsked = true;
    then = () => follow(told) ?? "Noted.";
    const options = ["yes", "no"].map((label) => ({ label, description: label }));
    const asked = { question: habits.question, header: "Choice", multiSelect: false, options };
    return { call: [{ name: "AskUserQuestion", input: { questions: [asked] } }] };
  }

  return {
    started,
    replies,
    async script(ask) {
      const role = roleOf(ask);
      const other = await instead?.(ask, role);
      if (other !== undefined) return other;
      switch (role.kind) {
        case "lead":
          return lead(ask);
        case "writer":
          return write(role.writing, role.step, ask);
        case "executor":
          return execute(role.id, role.spec, ask);
        case "other":
          return "Good: all of it.\n\nREVIEW_PASS";
      }
    },
  };
}
