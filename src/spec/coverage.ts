import { isField, readFields } from "../tasks/fields.ts";
import type { Task, TaskList } from "../tasks/model.ts";
import { isVerifyTask } from "../tasks/tags.ts";
import type { LineDiagnostic } from "../text/diagnostic.ts";
import { isProse, readLeaves } from "../text/lines.ts";
import { oneLine } from "../text/template.ts";
import { findIds, kindOf, resolveIds, showId } from "./requirement-ids.ts";
import { nameReader, type TaskWords } from "./requirement-names.ts";
import { planStructure } from "./requirement-parts.ts";
import type { Requirement } from "./requirements.ts";

/** Which tasks meet a requirement, and which ids nobody defines. */
export interface Coverage {
  readonly requirements: readonly CoveredRequirement[];
  readonly unknown: readonly UnknownReference[];
}

export interface CoveredRequirement {
  readonly requirement: Requirement;
  /** Every task that has to do with it. */
  readonly tasks: readonly Task[];
  /** Those that name it, or its only story. The rest name only a part of it, or one of several stories. */
  readonly own: readonly Task[];
  /** The [VERIFY] tasks that name nothing and check one of its own tasks. */
  readonly checks: readonly Task[];
  /** The ids of what it consists of. */
  readonly parts: readonly string[];
  /** Whether it needs a task. */
  readonly isRequired: boolean;
}

interface UnknownReference {
  readonly written: string;
  readonly task: Task;
  readonly line: number;
}

export function planCoverage(defined: readonly Requirement[], list: TaskList): Coverage {
  const references = readAll(defined, list);
  const named: Tasks = new Map();
  for (const { task, ids } of references)
    for (const id of ids) named.set(id, (named.get(id) ?? new Set()).add(task.index));
  const unknown = references.flatMap((one) => one.unknown);
  // A scenario says more about its requirement only if a task is about that scenario.
  const requirements = defined.filter(
    ({ id, names, story }) => names === undefined || story === undefined || named.has(id),
  );
  const known = new Set(requirements.map(({ id }) => id));
  const isNaming = references.some(({ isSure }) => isSure);
  const namedKinds = new Set([...named.keys()].map(kindOf));
  const { storiesOf, partsOf } = planStructure(requirements);
  const tasksNaming = (...ids: readonly string[]): Task[] => {
    const found = new Set(ids.flatMap((id) => [...(named.get(id) ?? [])]));
    return [...found].sort((a, b) => a - b).map((index) => list.tasks[index] as Task);
  };
  const checks = planChecks(list, new Set([...named.values()].flatMap((tasks) => [...tasks])));
  return {
    requirements: requirements.map((requirement) => {
      const { id } = requirement;
      // Where tasks name requirements, the tasks of a story that a requirement only mentions are not its own.
      const stories = isFunctional(id) && namedKinds.has(kindOf(id)) ? [] : storiesOf(id);
      const parts = partsOf(id).filter((part) => known.has(part));
      const own = tasksNaming(id, ...(stories.length === 1 ? stories : []));
      return {
        requirement,
        tasks: tasksNaming(id, ...stories, ...parts),
        own,
        checks: [...new Set(own.flatMap((task) => checks.get(task) ?? []))],
        parts,
        isRequired:
          requirement.names === undefined
            ? isRequired(requirement, requirements, namedKinds)
            : isNaming && requirement.story === undefined,
      };
    }),
    // Without a single id there is nothing to check a reference against.
    unknown: requirements.length === 0 ? [] : unknown,
  };
}

/**
 * The [VERIFY] task that checks each task, if it names nothing itself: it is about all tasks since the [VERIFY] task
 * before it, in the same phase.
 */
function planChecks({ tasks }: TaskList, naming: ReadonlySet<number>): ReadonlyMap<Task, Task> {
  const checks = new Map<Task, Task>();
  let stretch: Task[] = [];
  for (const task of tasks) {
    if (stretch[0]?.phase !== task.phase) stretch = [];
    if (!isVerifyTask(task)) stretch.push(task);
    else {
      if (!naming.has(task.index)) for (const one of stretch) checks.set(one, task);
      stretch = [];
    }
  }
  return checks;
}

/** What one task refers to. */
interface TaskReferences {
  readonly task: Task;
  readonly ids: readonly string[];
  readonly unknown: readonly UnknownReference[];
  /** Whether it says so where requirements are named. */
  readonly isSure: boolean;
}

function readAll(requirements: readonly Requirement[], list: TaskList): TaskReferences[] {
  const prose = dropExamples(list);
  const isNamed = requirements.some(({ names }) => names !== undefined);
  const read = isNamed ? nameReader(requirements) : undefined;
  const known = new Set(requirements.map(({ id }) => id));
  return list.tasks.map((task) => {
    const words = wordsOf(prose, task);
    if (read !== undefined) {
      const { ids, unknown, isSure } = read(words);
      const located = unknown.map((written) => ({ written, task, line: lineOfField(list, task) }));
      return { task, ids, unknown: located, isSure };
    }
    const references = readReferences(words);
    const unknown: UnknownReference[] = [];
    const ids = references.flatMap((reference) => {
      const found = resolveIds(reference, known);
      for (const written of reference.isSure ? found.unknown : [])
        if (!unknown.some((one) => one.written === written))
          unknown.push({ written, task, line: lineOf(list, task, reference.written) });
      return found.ids;
    });
    return { task, ids, unknown, isSure: ids.length > 0 };
  });
}

const lineOfField = (list: TaskList, task: Task): number =>
  task.line +
  Math.max(
    0,
    list.lines.slice(task.line - 1, task.endLine).findIndex((line) => readLabel(line) !== ""),
  );

/** `isSure`: it can only be a reference, so an unknown one is a mistake. */
type TaskReference = ReturnType<typeof findIds>[number] & { readonly isSure: boolean };

const LABEL = /(?:^|[\s*_(])([A-Za-z]+)[*_]*\s*:/g;

/** What follows `Requirements:`, anywhere in the line. */
function readLabel(line: string): string {
  const label = [...line.matchAll(LABEL)].find(([, name = ""]) => isRequirements(name));
  return label === undefined ? "" : line.slice(label.index + label[0].length);
}

const isRequirements = (name: string): boolean => isField(name.toLowerCase(), "requirements");

/** What a task refers to: by its tags, its title, its **Requirements**, or the heading above it. */
const readReferences = ({ tags, sure, title, heading }: Words): TaskReference[] => [
  ...[...tags, ...sure].flatMap((text) => findIds(text).map((one) => ({ ...one, isSure: true }))),
  ...findIds(title).map((one) => ({ ...one, isSure: one.isPlain })),
  ...findIds(heading).map((one) => ({ ...one, isSure: false })),
];

type Words = TaskWords & Pick<Task, "tags">;

function wordsOf(list: TaskList, task: Task): Words {
  const fields = readFields(list, task)
    .filter(({ name }) => isRequirements(name))
    .map(({ value }) => value);
  const labels = list.lines.slice(task.line - 1, task.endLine).map(readLabel);
  const sure = [...fields, ...labels].filter((text) => text.trim() !== "");
  const heading = list.phases[task.phase]?.title ?? "";
  return { tags: task.tags, sure, title: task.title, heading };
}

/** The list without code and comments: an example there refers to nothing. */
function dropExamples(list: TaskList): TaskList {
  const leaves = readLeaves(list.lines);
  return { ...list, lines: list.lines.map((line, i) => (isProse(leaves[i]) ? line : "\n")) };
}

const lineOf = (list: TaskList, task: Task, written: string): number => {
  for (let line = task.line; line <= task.endLine; line++) {
    if ((list.lines[line - 1] as string).includes(written)) return line;
  }
  return task.line;
};

/** By requirement, the indices of the tasks that name it. */
type Tasks = Map<string, Set<number>>;

/**
 * Spec Kit's tasks name stories; its functional requirements need their own task only if tasks name such ids at all.
 */
function isRequired(
  { id, isOutOfScope }: Requirement,
  all: readonly Requirement[],
  namedKinds: ReadonlySet<string>,
): boolean {
  const kind = kindOf(id);
  if (isOutOfScope || kind === "SC") return false;
  return !isFunctional(id) || !all.some(isSpecKit) || namedKinds.has(kind);
}

const isFunctional = (id: string): boolean => kindOf(id) === "FR" || kindOf(id) === "NFR";

const isSpecKit = ({ written }: Requirement): boolean => /^user\s|^(?:FR|SC)-0\d\d$/i.test(written);

/** What is wrong between a requirements document and its tasks: `file` says which of the two the line is in. */
export interface CoverageDiagnostic extends LineDiagnostic {
  /** The ids that it is about. */
  readonly about: string;
  readonly file: "requirements" | "tasks";
  /** Which of the requirements' files, if there are several; relative to the spec. */
  readonly part?: string;
}

export function checkCoverage({ requirements, unknown }: Coverage): CoverageDiagnostic[] {
  const uncovered = requirements
    .filter(({ tasks, isRequired: must }) => must && tasks.length === 0)
    .map(({ requirement: { written, title, line, file: part } }): CoverageDiagnostic => ({
      severity: "error",
      code: "uncovered-requirement",
      message: `${showId(written)}${title === "" ? "" : ` (${oneLine(title, 50)})`} has no task.`,
      fix: `Reference it in the task that meets it (${formatExample(written)}), add a task for it, or move it out of scope.`,
      about: written,
      file: "requirements",
      ...(part === undefined ? {} : { part }),
      line,
    }));
  const undefinedIds = unknown.map(({ written, task, line }): CoverageDiagnostic => ({
    severity: "error",
    code: "unknown-requirement",
    message: `${task.id} refers to ${written}, which is not defined.`,
    fix: "Correct the id, or define the requirement.",
    about: `${task.id} ${written}`,
    file: "tasks",
    line,
  }));
  return [...uncovered, ...undefinedIds];
}

/** How a task names it: with a tag in Spec Kit, with a field in ours. */
const formatExample = (written: string): string => {
  const story = /^user\s+stor(?:y|ies)\s+#?(\d+)$/i.exec(written)?.[1];
  return story === undefined ? `_Requirements: ${written}_` : `[US${story}]`;
};
