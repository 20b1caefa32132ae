import type { Layout } from "../../layouts/layout.ts";
import { fieldOf } from "../../tasks/fields.ts";
import type { Task } from "../../tasks/model.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { counted } from "../../text/wording.ts";
import type { ConnectedTask } from "./connect.ts";
import type { Foreign, ForeignStory, ForeignTask } from "./foreign.ts";
import { orderTasks } from "./order.ts";
import { renderRequirements } from "./render-requirements.ts";

export interface ImportPlan {
  /** The spec's files, by their names in its folder. */
  readonly files: Readonly<Record<string, string>>;
  readonly tasks: number;
  readonly done: number;
  readonly withoutVerify: number;
  readonly requirements: number;
  /** What could not be carried over, and what was changed. */
  readonly left: readonly string[];
}

export interface ImportWish {
  readonly name: string;
  /** As shown to the user. */
  readonly source: string;
  /** What is ticked there is to be done again. */
  readonly reopen: boolean;
}

/** A spec from another tool's list: its tasks in our grammar, and its stories with ids that the tasks refer to. */
export function planImport(
  { requirementForm: form, requirements: document, numbered }: Layout,
  foreign: Foreign,
  wish: ImportWish,
): ImportPlan {
  if (foreign.whole !== undefined) return planWhole(foreign.whole, wish);
  const { tasks, moved, dropped } = orderTasks(foreign.tasks);
  const phases = phasesOf(tasks);
  const ids = new Map<number, string>();
  for (const [p, phase] of phases.entries())
    for (const [i, { key }] of phase.tasks.entries()) ids.set(key, idAt(numbered, p, i, ids.size));
  const told = tasks.filter(({ story }) => story !== undefined);
  const asTold = told.map(({ story }) => story as ForeignStory);
  const stories = form === "delta" ? tellApart(asTold) : asTold;
  const places = new Map(told.map(({ key }, i) => [key, i]));
  const isTicked = ({ isDone }: ForeignTask): boolean => isDone && !wish.reopen;
  const lines = phases.flatMap(({ title, tasks: own }, p) => [
    headingAt(form, p, title),
    "",
    ...own.flatMap((task) =>
      renderTask(task, ids, stories, places.get(task.key) ?? -1, form, isTicked(task)),
    ),
    "",
  ]);
  const gates = renderGates(
    foreign.checks,
    headingAt(form, phases.length, "Quality Gates"),
    idAt(numbered, phases.length, 0, tasks.length),
  );
  const open = tasks.filter((task) => !isTicked(task));
  const done = tasks.length - open.length;
  return {
    files: {
      "tasks.md": `# Tasks: ${wish.name}\n\nImported from ${wish.source}.\n\n${[...lines, ...gates].join("\n").trimEnd()}\n`,
      ...(stories.length === 0
        ? {}
        : renderRequirements(form, document, wish.name, foreign, stories)),
    },
    tasks: tasks.length + (gates.length > 0 ? 1 : 0),
    done,
    withoutVerify: open.filter(({ verify }) => verify === undefined).length,
    requirements: stories.length,
    left: [
      ...foreign.left,
      ...dropped,
      ...(moved.length === 0
        ? []
        : [
            `the order: ${moved
              .slice(0, 10)
              .map((one) => `"${one}"`)
              .join(", ")} now come after what they depend on`,
          ]),
      ...(done === 0 ? [] : [proofLeft(done)]),
      ...(wish.reopen && tasks.some(({ isDone }) => isDone)
        ? ["ticks: you asked for open tasks"]
        : []),
    ],
  };
}

const headingAt = (form: Layout["requirementForm"], phase: number, title: string): string =>
  form === "delta" ? `## ${phase + 1}. ${title}` : `## Phase ${phase + 1}: ${title}`;

/** Numbered through the whole list, or by phase. */
const idAt = (numbered: boolean, phase: number, inPhase: number, inList: number): string =>
  numbered ? `T${String(inList + 1).padStart(3, "0")}` : `${phase + 1}.${inPhase + 1}`;

/** In OpenSpec the title of a requirement is its id. */
function tellApart(stories: readonly ForeignStory[]): ForeignStory[] {
  const used = new Set<string>();
  return stories.map((story) => {
    const { title } = story;
    let own = title;
    for (let n = 2; used.has(own.toLowerCase()); n++) own = `${title} (${n})`;
    used.add(own.toLowerCase());
    return { ...story, title: own };
  });
}

/** A list in our grammar is taken as it is. */
function planWhole(text: string, { reopen }: ImportWish): ImportPlan {
  const list = parseTasks(text);
  const ticked = list.tasks.filter(({ checked }) => checked);
  const lines = [...list.lines];
  if (reopen)
    for (const { line } of ticked)
      lines[line - 1] = (lines[line - 1] as string).replace(/\[[xX]\]/, "[ ]");
  const done = reopen ? 0 : ticked.length;
  const isOpen = (task: Task): boolean => reopen || !task.checked;
  return {
    files: { "tasks.md": lines.join("") },
    tasks: list.tasks.length,
    done,
    withoutVerify: list.tasks.filter(
      (task) => isOpen(task) && fieldOf(list, task, "verify") === undefined,
    ).length,
    requirements: 0,
    left: done === 0 ? [] : [proofLeft(done)],
  };
}

const proofLeft = (done: number): string =>
  `the proof of ${counted(done, "task")} that ${done === 1 ? "was" : "were"} done: a tick is all there was`;

interface ImportedPhase {
  readonly title: string;
  readonly tasks: ConnectedTask[];
}

function phasesOf(tasks: readonly ConnectedTask[]): ImportedPhase[] {
  const phases: ImportedPhase[] = [];
  let group: string | undefined;
  for (const task of tasks) {
    const last = phases.at(-1);
    if (last !== undefined && group === task.group) last.tasks.push(task);
    else phases.push({ title: task.group ?? "Tasks", tasks: [task] });
    group = task.group;
  }
  return phases;
}

const MAX_STEPS = 20;

function renderTask(
  task: ConnectedTask,
  ids: ReadonlyMap<number, string>,
  stories: readonly ForeignStory[],
  story: number,
  form: Layout["requirementForm"],
  isTicked: boolean,
): string[] {
  const tag = form === "user-stories" && story !== -1 ? `[US${story + 1}] ` : "";
  const on = task.needs.map((key) => ids.get(key)).filter((id) => id !== undefined);
  const steps = task.steps.slice(0, MAX_STEPS);
  const more = task.steps.length - steps.length;
  return [
    `- [${isTicked ? "x" : " "}] ${ids.get(task.key)} ${tag}${task.title}`,
    ...(steps.length === 0
      ? []
      : ["  - **Do**:", ...steps.map((step, i) => `    ${i + 1}. ${step}`)]),
    ...(more > 0
      ? [`    ${steps.length + 1}. and ${more} more lines in the file it comes from`]
      : []),
    ...(task.files.length === 0
      ? []
      : [`  - **Files**: ${task.files.map((file) => `\`${file}\``).join(", ")}`]),
    ...(task.doneWhen.length === 0
      ? []
      : [`  - **Done when**: ${task.doneWhen.slice(0, MAX_STEPS).join("; ")}`]),
    ...(task.verify === undefined ? [] : [`  - **Verify**: \`${task.verify}\``]),
    ...(on.length === 0 ? [] : [`  - _Depends: ${on.join(", ")}_`]),
    ...(story === -1
      ? []
      : [`  - _Requirements: ${referTo(form, story, stories[story] as ForeignStory)}_`]),
  ];
}

/** Its criteria too: each is to be met. */
function referTo(
  form: Layout["requirementForm"],
  at: number,
  { title, criteria }: ForeignStory,
): string {
  if (form === "delta") return title;
  return [`US-${at + 1}`, ...criteria.map((_, i) => `AC-${at + 1}.${i + 1}`)].join(", ");
}

/** What the file says the whole is checked with. */
function renderGates(checks: readonly string[], heading: string, id: string): string[] {
  const commands = checks.filter((one) => !/[`\n]/.test(one) && one.length <= 300);
  if (commands.length === 0) return [];
  return [
    heading,
    "",
    `- [ ] ${id} [VERIFY] All checks of the project`,
    `  - **Verify**: \`${commands.join(" && ")}\``,
  ];
}
