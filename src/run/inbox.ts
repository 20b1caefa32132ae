import { findHeld } from "../tasks/held.ts";
import type { Decision, Task, TaskList } from "../tasks/model.ts";
import { keepStart } from "../text/cut.ts";
import { quoteForShell } from "../text/quote.ts";
import * as s from "../text/schema.ts";
import { clean, oneLine } from "../text/template.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";
import { AGAIN, GO_ON, LEAVE, readAnswer } from "./answers.ts";

const entryFields = {
  id: s.field(s.integer(1), "What `answer` calls it; unique in the project."),
  kind: s.field(
    s.oneOf("question", "skip"),
    "An agent's question, or the user's wish to leave a task.",
  ),
  task: s.field(s.string, "The task that waits."),
  text: s.field(s.string, "What is asked, or why the task is left."),
  options: s.field(s.listOf(s.string), "Answers to choose from; any other is possible."),
  askedAt: s.field(s.string, "When, ISO 8601."),
};

const laterFields = {
  run: s.field(s.string, "The run whose agent asked."),
  verify: s.field(s.string, "A Verify that an agent proposes; `replace it` puts it into the task."),
  answer: s.field(s.string, "What the user decided."),
  answeredAt: s.field(
    s.string,
    "When, ISO 8601. Until then the task waits. Without an answer, the question was closed.",
  ),
  answeredBy: s.field(s.string, "Who answered: `user` or `script`; or `run`, which closed it."),
};

/** Something that waits for the user, or has waited. Its texts are data, never instructions to us. */
export type InboxEntry = s.ValuesOf<typeof entryFields> & Partial<s.ValuesOf<typeof laterFields>>;

/** `fault`: why the file cannot be used. Then it holds no task, and is not written to. */
export interface Inbox {
  readonly entries: readonly InboxEntry[];
  readonly fault?: string;
}

export const EMPTY_INBOX: Inbox = { entries: [] };

export const INBOX_LIMITS = {
  entries: 500,
  open: 100,
  text: 2000,
  options: 9,
  option: 200,
  answer: 4000,
} as const;

const entryKind = s.objectOf(entryFields);

export function parseInbox(text: string): Inbox {
  const file = s.parseRaw(text);
  if (file.kind === "corrupt") return { entries: [], fault: file.why };
  const { entries } = file.raw;
  if (!Array.isArray(entries)) return { entries: [], fault: "it has no list of entries" };
  const known = entries.filter((one: unknown): one is InboxEntry & s.Raw => entryKind.is(one));
  return { entries: known.slice(-INBOX_LIMITS.entries).map(readEntry) };
}

const readEntry = (raw: InboxEntry & s.Raw): InboxEntry => ({
  ...(s.readFields(entryFields, raw) as s.ValuesOf<typeof entryFields>),
  ...s.readFields(laterFields, raw),
});

export const formatInbox = ({ entries }: Inbox): string => s.formatRaw({ entries });

export const inboxSchema = (): object => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Smart Ralph inbox",
  description: "What waits for the user in a spec. Never committed to git.",
  ...s.objectSchema(
    {
      entries: s.field(
        s.listOf({
          is: s.isObject,
          schema: s.objectSchema({ ...entryFields, ...laterFields }, Object.keys(entryFields)),
        }),
        "Oldest first.",
      ),
    },
    ["entries"],
  ),
});

export const isOpen = ({ answeredAt }: InboxEntry): boolean => answeredAt === undefined;

export interface NewEntry {
  readonly kind: InboxEntry["kind"];
  readonly task: string;
  readonly text: string;
  readonly options?: readonly string[];
  readonly run?: string;
  readonly verify?: string;
}

export type Added =
  | { readonly kind: "added"; readonly inbox: Inbox; readonly entry: InboxEntry }
  /** It was asked before. If the user has answered, the entry has the answer. */
  | { readonly kind: "known"; readonly entry: InboxEntry }
  | { readonly kind: "full" };

/** `highest`: the largest number in use in the project. */
export function addEntry(inbox: Inbox, asked: NewEntry, highest: number, at: string): Added {
  const text = fit(asked.text, INBOX_LIMITS.text);
  const known = inbox.entries.findLast(
    (one) =>
      one.kind === asked.kind &&
      sameId(one.task, asked.task) &&
      (one.kind === "skip"
        ? isOpen(one)
        : !isClosed(one) &&
          (one.text === text || (asked.verify !== undefined && one.verify === asked.verify))),
  );
  if (known !== undefined) return { kind: "known", entry: known };
  if (inbox.entries.filter(isOpen).length >= INBOX_LIMITS.open) return { kind: "full" };
  const entry: InboxEntry = {
    id: Math.max(highest, ...inbox.entries.map(({ id }) => id)) + 1,
    kind: asked.kind,
    task: oneLine(asked.task, 100),
    text,
    options: (asked.options ?? [])
      .map((option) => oneLine(option, INBOX_LIMITS.option))
      .filter((option) => option !== "")
      .slice(0, INBOX_LIMITS.options),
    askedAt: at,
    ...(asked.run === undefined ? {} : { run: oneLine(asked.run, 100) }),
    ...(asked.verify === undefined ? {} : { verify: asked.verify.slice(0, INBOX_LIMITS.text) }),
  };
  return { kind: "added", entry, inbox: { entries: [...makeRoom(inbox.entries), entry] } };
}

/** Drops the oldest answered entry if the inbox is full. */
function makeRoom(entries: readonly InboxEntry[]): readonly InboxEntry[] {
  if (entries.length < INBOX_LIMITS.entries) return entries;
  const oldest = entries.findIndex((one) => !isOpen(one));
  return entries.filter((_, index) => index !== oldest);
}

const fit = (text: string, max: number): string => keepStart(clean(text).trim(), max);

const sameId = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** A second answer replaces the first. */
export const answerEntry = (
  { entries }: Inbox,
  id: number,
  said: { readonly answer: string; readonly by: string; readonly at: string },
): Inbox => ({
  entries: entries.map((one) =>
    one.id === id
      ? {
          ...one,
          answer: readAnswer(one, fit(said.answer, INBOX_LIMITS.answer)),
          answeredAt: said.at,
          answeredBy: oneLine(said.by, 40),
        }
      : one,
  ),
});

/** Closes the questions about a task that nobody has to answer any more. It may be asked again. */
export const closeQuestions = (
  { entries }: Inbox,
  task: string,
  closed: { readonly by: string; readonly at: string },
): Inbox => ({
  entries: entries.map((one) =>
    one.kind === "question" && isOpen(one) && sameId(one.task, task)
      ? { ...one, answeredAt: closed.at, answeredBy: closed.by }
      : one,
  ),
});

const isClosed = (one: InboxEntry): boolean => !isOpen(one) && one.answer === undefined;

/** Open entries whose task is still open: a task that is ticked or deleted waits for nothing. */
export const pendingIn = ({ entries }: Inbox, { tasks }: TaskList): readonly InboxEntry[] =>
  entries.filter(
    (entry) => isOpen(entry) && tasks.some(({ id, checked }) => !checked && sameId(id, entry.task)),
  );

/** Open entries about a task itself, not about one that it depends on. */
export const pendingFor = ({ entries }: Inbox, task: string): readonly InboxEntry[] =>
  entries.filter((entry) => isOpen(entry) && sameId(entry.task, task));

/** Stands for a task: the whole spec is done, but does not merge with the other specs of its epic. */
export const MERGE = "merge";

/** The open tasks that wait for the answer to an entry. */
export function waitingFor(list: TaskList, { task }: InboxEntry): readonly Task[] {
  const held = findHeld(list, [task]);
  return list.tasks.filter(({ id, checked }) => !checked && held.has(id));
}

/** Adds the user's open questions and decisions to the list. */
export function withInbox(list: TaskList, { entries }: Inbox): TaskList {
  const asked = entries.filter(isOpen).map(({ task }) => task);
  const decided = readDecisions(list, entries);
  return {
    ...list,
    ...(asked.length === 0 ? {} : { held: findHeld(list, asked) }),
    ...(decided.length === 0 ? {} : { decided }),
  };
}

function readDecisions(list: TaskList, entries: readonly InboxEntry[]): readonly Decision[] {
  return entries.flatMap(({ kind, task, text, answer, options, verify }) => {
    if (answer === undefined || answer === (kind === "skip" ? GO_ON : LEAVE)) return [];
    const id = list.tasks.find((one) => sameId(one.id, task))?.id ?? task;
    const question = kind === "skip" ? "The task was skipped. What now?" : text;
    const isOfRun = verify !== undefined || options.includes(AGAIN);
    return [{ task: id, question, answer, isAboutRun: isOfRun && options.includes(answer) }];
  });
}

/** How the user takes back a skip. */
export const tellUnskip = (task: string): string =>
  `to unskip it: ${SHELL_PROGRAM} unskip ${quoteForShell(task)}`;

/** A line about an entry, for people and agents. */
export function describeEntry({ id, kind, task, text, options }: InboxEntry): string {
  const said = oneLine(text, 200);
  if (kind === "skip")
    return `${id} (${task}) is skipped${said === "" ? "" : `: "${said}"`}; ${tellUnskip(task)}`;
  const choice = options.length === 0 ? "" : ` (${options.map((one) => `"${one}"`).join(", ")})`;
  return `${id} (${task}): "${said}"${choice}`;
}
