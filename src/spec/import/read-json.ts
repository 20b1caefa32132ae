import { isObject } from "../../text/schema.ts";
import { counted } from "../../text/wording.ts";
import {
  commandIn,
  type Foreign,
  type ForeignStory,
  type ForeignTask,
  linesOf,
  MAX_DEPENDENCIES,
  MAX_TASKS,
  NotAList,
  plain,
  tooLong,
  verifyIn,
} from "./foreign.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A list that a program keeps: ralph's and ralph-tui's `prd.json`, Task Master's `tasks.json`. */
export function readJsonList(text: string, tag: string | undefined): Foreign {
  const value = parse(text);
  const stories = Array.isArray(value) ? value : isObject(value) ? value["userStories"] : undefined;
  if (Array.isArray(stories)) return readStories(isObject(value) ? value : {}, stories);
  if (isObject(value)) return readTaskMaster(value, tag);
  throw unknown();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new NotAList("it is not valid JSON", "correct it, or export it again");
  }
}

const unknown = (): NotAList =>
  new NotAList(
    "it has neither userStories nor tasks",
    "a list of tasks, a PRD in Markdown, prd.json and Task Master's tasks.json can be imported",
  );

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : "";

const idOf = (item: Fields): string | undefined => textOf(item["id"]).trim() || undefined;

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value.slice(0, MAX_DEPENDENCIES) : [value])
    .map((one) => textOf(one).trim())
    .filter(Boolean);

function itemsOf(values: readonly unknown[]): Fields[] {
  const items = values.filter((one): one is Fields => isObject(one));
  if (items.length > MAX_TASKS) throw tooLong();
  return items;
}

/** One task for each story: that is what a story is in a `prd.json`. */
function readStories(file: Fields, values: readonly unknown[]): Foreign {
  const items = itemsOf(values);
  const all = items.map((item, i) => ({ item, i, rank: rankOf(item["priority"]) }));
  // The lowest number is worked on first.
  all.sort((a, b) => a.rank - b.rank || a.i - b.i);
  const tasks = all.map(({ item, i }): ForeignTask => {
    const story = storyOf(item, i);
    const { title, text, criteria } = story;
    return {
      id: idOf(item),
      title,
      group: undefined,
      steps: [
        text,
        ...textsOf(item["steps"]).map((one) => plain(one)),
        ...linesOf(textOf(item["notes"])),
      ].filter(Boolean),
      doneWhen: criteria,
      files: [],
      verify: verifyIn(criteria),
      isDone: item["passes"] === true,
      dependsOn: [...textsOf(item["dependsOn"]), ...textsOf(item["dependencies"])],
      story: criteria.length > 0 || text !== "" ? story : undefined,
    };
  });
  const goal = textOf(file["description"]);
  const project = textOf(file["project"] ?? file["projectName"]);
  // The project is the whole program; the branch says what this list is about.
  const branch = textOf(file["branchName"]).split("/").at(-1) ?? "";
  const title = textOf(file["name"] ?? file["feature"]) || branch || goal || project;
  return {
    format: "prd.json",
    title: title || undefined,
    goal: goal || title || project || undefined,
    tasks,
    checks: isObject(file["verificationCommands"])
      ? Object.values(file["verificationCommands"]).map(textOf).filter(Boolean).slice(0, 20)
      : [],
    left: [
      ...branchLeft(file["branchName"]),
      ...countLeft(items, "labels", "labels"),
      ...countLeft(items, "validationScenario", "validation scenarios"),
      ...countLeft(items, "preCommit", "pre-commit commands"),
      ...(values.length > items.length
        ? [`${counted(values.length - items.length, "value")} in place of a story`]
        : []),
    ],
  };
}

const rankOf = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) ? value : Number.MAX_SAFE_INTEGER;

function storyOf(item: Fields, i: number): ForeignStory {
  const text = textOf(item["description"]);
  const title = plain(textOf(item["title"]) || text, 160) || `Story ${i + 1}`;
  return {
    title,
    text: plain(text) === title ? "" : plain(text),
    criteria: textsOf(item["acceptanceCriteria"])
      .map((one) => plain(one))
      .filter(Boolean),
  };
}

const branchLeft = (branch: unknown): string[] =>
  textOf(branch) === "" ? [] : [`the branch ${plain(textOf(branch), 80)}: check it out yourself`];

function countLeft(items: readonly Fields[], key: string, what: string): string[] {
  const having = items.filter((item) => {
    const value = item[key];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
  });
  return having.length === 0 ? [] : [`${what} of ${counted(having.length, "task")}`];
}

/** Task Master keeps several lists in a file, each under its tag; older versions had one. */
function readTaskMaster(file: Fields, tag: string | undefined): Foreign {
  const { tasks, name } = chooseList(file, tag);
  const found = itemsOf(tasks);
  const items = found.filter((item) => !isDropped(item));
  const partsOf = ({ subtasks }: Fields): Fields[] =>
    Array.isArray(subtasks) ? itemsOf(subtasks) : [];
  const all = items.flatMap((item, at): ForeignTask[] => {
    const subtasks = partsOf(item).filter((one) => !isDropped(one));
    if (subtasks.length === 0) return [taskOf(item, at, undefined)];
    const group = plain(textOf(item["title"]), 160);
    // The task is its parts; what it says itself is said once, in the first of them.
    const partOf = { id: idOf(item), dependsOn: textsOf(item["dependencies"]) };
    const whole = taskOf(item, at, undefined);
    return subtasks.map((one, i) => {
      const part = taskOf(one, i, group);
      const isLast = i === subtasks.length - 1;
      return {
        ...part,
        partOf,
        steps: [...(i === 0 ? whole.steps : []), ...part.steps],
        // How the whole is tested can be seen once its last part is done.
        ...(isLast
          ? { doneWhen: [...part.doneWhen, ...whole.doneWhen], verify: part.verify ?? whole.verify }
          : {}),
      };
    });
  });
  if (all.length > MAX_TASKS) throw tooLong();
  return {
    format: "Task Master",
    title: name === "master" ? undefined : name,
    goal: undefined,
    tasks: all,
    checks: [],
    left: [
      ...countLeft(items, "priority", "priorities (the order of the file stands)"),
      ...droppedLeft([
        ...found,
        ...items.flatMap((item) =>
          partsOf(item).map((one) => ({
            ...one,
            id: `${textOf(item["id"])}.${textOf(one["id"])}`,
          })),
        ),
      ]),
    ],
  };
}

function chooseList(
  file: Fields,
  tag: string | undefined,
): { tasks: readonly unknown[]; name: string } {
  const lists = Object.entries(file).flatMap(([name, value]) => {
    const tasks = name === "tasks" ? value : isObject(value) ? value["tasks"] : undefined;
    return Array.isArray(tasks) ? [{ name: name === "tasks" ? "master" : name, tasks }] : [];
  });
  const [only, ...others] = lists;
  if (only === undefined) throw unknown();
  const wanted = tag ?? (others.length === 0 ? only.name : "master");
  const found = lists.find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  const names = lists.map(({ name }) => plain(name, 60)).slice(0, 20);
  throw new NotAList(
    tag === undefined ? "it has several lists" : `it has no list ${plain(tag, 60)}`,
    `choose one with --tag: ${names.join(", ")}`,
  );
}

const detailsOf = (item: Fields): string[] => [
  ...linesOf(textOf(item["description"])),
  ...linesOf(textOf(item["details"])),
];

function taskOf(item: Fields, i: number, group: string | undefined): ForeignTask {
  const strategy = textOf(item["testStrategy"]);
  return {
    id: idOf(item),
    title:
      plain(textOf(item["title"]) || textOf(item["description"]), 160) ||
      `Task ${plain(idOf(item) ?? String(i + 1), 60)}`,
    group,
    steps: detailsOf(item),
    doneWhen: linesOf(strategy),
    files: [],
    verify: commandIn(strategy),
    isDone: item["status"] === "done" || item["status"] === "completed",
    dependsOn: textsOf(item["dependencies"]),
    story: undefined,
  };
}

const isDropped = ({ status }: Fields): boolean => status === "cancelled" || status === "deferred";

/** What nobody is to do now. */
const droppedLeft = (items: readonly Fields[]): string[] =>
  items
    .filter(isDropped)
    .slice(0, 50)
    .map(
      ({ id, title, status }) =>
        `task ${plain(textOf(id), 20)}, ${plain(textOf(title), 80)}: it is ${textOf(status)}`,
    );
