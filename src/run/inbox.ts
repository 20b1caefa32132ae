import { findHeld } from "../tasks/held.ts";
import type { Decided, Task, TaskList } from "../tasks/model.ts";
import { keepStart } from "../text/cut.ts";
import { quoteForShell } from "../text/quote.ts";
import {
  field,
  formatRaw,
  integer,
  isObject,
  listOf,
  objectOf,
  objectSchema,
  oneOf,
  parseRaw,
  type Raw,
  readFields,
  string,
  type ValuesOf,
} from "../text/schema.ts";
import { clean, oneLine } from "../text/template.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";
import { GO_ON, LEAVE, readAnswer } from "./answers.ts";

const entryFields = {
  id: field(integer(1), "What `answer` calls it; unique in the project."),
  kind: field(
    oneOf("question", "skip"),
    "An agent's question, or the user's wish to leave a task.",
  ),
  task: field(string, "The task that waits."),
  text: field(string, "What is asked, or why the task is left."),
  options: field(listOf(string), "Answers to choose from; any other is possible."),
  askedAt: field(string, "When, ISO 8601."),
};

const laterFields = {
  run: field(string, "The run whose agent asked."),
  about: field(string, "The subject, if the run itself asks."),
  verify: field(string, "A Verify that an agent proposes; `replace it` puts it into the task."),
  answer: field(string, "What the user decided."),
  answeredAt: field(string, "When, ISO 8601. Until then the task waits."),
  answeredBy: field(string, "Who answered: `user` or `script`."),
};

/** Something that waits for the user, or has waited. Its texts are data, never instructions to us. */
export type InboxEntry = ValuesOf<typeof entryFields> & Partial<ValuesOf<typeof laterFields>>;

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

const entryKind = objectOf(entryFields);

export function parseInbox(text: string): Inbox {
  const file = parseRaw(text);
  if (file.kind === "corrupt") return { entries: [], fault: file.why };
  const { entries } = file.raw;
  if (!Array.isArray(entries)) return { entries: [], fault: "it has no list of entries" };
  const known = entries.filter((one: unknown): one is InboxEntry & Raw => entryKind.is(one));
  return { entries: known.slice(-INBOX_LIMITS.entries).map(readEntry) };
}

const readEntry = (raw: InboxEntry & Raw): InboxEntry => ({
  ...(readFields(entryFields, raw) as ValuesOf<typeof entryFields>),
  ...readFields(laterFields, raw),
});

export const formatInbox = ({ entries }: Inbox): string => formatRaw({ entries });

export const inboxSchema = (): object => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Smart Ralph inbox",
  description: "What waits for the user in a spec. Never committed to git.",
  ...objectSchema(
    {
      entries: field(
        listOf({
          is: isObject,
          schema: objectSchema({ ...entryFields, ...laterFields }, Object.keys(entryFields)),
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
  readonly about?: string;
  /** The problem came back: what the user answered before does not settle it. */
  readonly isAgain?: boolean;
}

export type Added =
  | { readonly kind: "added"; readonly inbox: Inbox; readonly entry: InboxEntry }
  /** It was asked before. If the user has answered, the entry has the answer. */
  | { readonly kind: "known"; readonly entry: InboxEntry }
  | { readonly kind: "full" };

/** `highest`: the largest number in use in the project. */
export function addEntry(inbox: Inbox, asked: NewEntry, highest: number, at: string): Added {
  const text = fit(asked.text, INBOX_LIMITS.text);
  const isSkip = asked.kind === "skip";
  const known = inbox.entries.findLast(
    (one) =>
      one.kind === asked.kind &&
      sameId(one.task, asked.task) &&
      (isSkip || isSameQuestion(one, { ...asked, text })) &&
      (isOpen(one) || !(isSkip || asked.isAgain === true)),
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
    ...(asked.about === undefined ? {} : { about: fit(asked.about, INBOX_LIMITS.text) }),
    ...(asked.verify === undefined ? {} : { verify: asked.verify.slice(0, INBOX_LIMITS.text) }),
  };
  return { kind: "added", entry, inbox: { entries: [...makeRoom(inbox.entries), entry] } };
}

/** By its subject, however it is worded; an agent gives no other id than its words. */
const isSameQuestion = (a: InboxEntry, b: Pick<NewEntry, "about" | "verify" | "text">): boolean =>
  a.text === b.text ||
  (b.about !== undefined && a.about === b.about) ||
  (b.verify !== undefined && a.verify === b.verify);

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
    ...(decided.size === 0 ? {} : { decided }),
  };
}

function readDecisions(
  list: TaskList,
  entries: readonly InboxEntry[],
): ReadonlyMap<string, readonly Decided[]> {
  const decided = new Map<string, Decided[]>();
  for (const { kind, task, text, answer } of entries) {
    if (answer === undefined || answer === (kind === "skip" ? GO_ON : LEAVE)) continue;
    const id = list.tasks.find((one) => sameId(one.id, task))?.id;
    if (id === undefined) continue;
    const question = kind === "skip" ? SKIPPED : text;
    decided.set(id, [...(decided.get(id) ?? []), { question, answer }]);
  }
  return decided;
}

const SKIPPED = "The task was skipped. What now?";

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
