import { copyFields } from "../../tasks/edit/fix-task.ts";
import type { NewTask } from "../../tasks/edit/insert.ts";
import { treeAt } from "../../tasks/edit/movable-blocks.ts";
import { placeNotes } from "../../tasks/edit/notes.ts";
import { fieldOf } from "../../tasks/fields.ts";
import { nextSubIds } from "../../tasks/ids.ts";
import type { Task, TaskList } from "../../tasks/model.ts";
import { parseAgain } from "../../tasks/parse.ts";
import { helpedIds, helpTag } from "../../tasks/tags.ts";
import { readLeaves } from "../../text/lines.ts";
import type { Write } from "../decision.ts";
import { limitIn } from "../state.ts";
import { countOf, keyOf, modificationsOf, restoreChanges } from "./change-record.ts";
import {
  cacheFor,
  insertTasks,
  type InsertedTasks,
  type RunStanding,
  textOf,
  type InsertPosition,
} from "./insert-tasks.ts";
import { lineageOf } from "./lineage.ts";
import { bulletOf, stripMarkup, parseCommitField } from "./recovery.ts";

/** A change to the plan that an agent asks for, and the result. */
export type Change =
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "already"; readonly ids: readonly string[]; readonly list: TaskList }
  | {
      readonly kind: "changed";
      readonly ids: readonly string[];
      readonly list: TaskList;
      /** Written before the rest. */
      readonly tasks: string;
      readonly write: Write;
    };

/** The names that older plugins used. */
type ChangeType = "SPLIT_TASK" | "ADD_PREREQUISITE" | "ADD_FOLLOWUP";

/**
 * Puts the parts of a task after it, each `[PART x.y]`. The task keeps its box and waits for them: handed out last,
 * with its own Verify, it checks that the parts add up to the whole.
 */
export function planSplit(
  found: RunStanding,
  task: Task,
  titles: readonly string[],
  reason: string,
): Change {
  const standing = { ...found, state: restoreChanges(found) };
  const { list } = standing;
  const old = partsOf(list, task);
  if (titles.every((title) => old.some((part) => part.title === title))) {
    return { kind: "already", ids: old.map((part) => part.id), list };
  }
  if (task.checked) return refuse(`${task.id} is ticked, so there is nothing left to split`);
  const why = refusalOf(standing, task);
  if (why !== undefined) return refuse(why);
  const ids = nextSubIds(list, task.id, titles.length);
  if (ids.length < titles.length) {
    return refuse(`${task.id} has no id to number its parts by; give it one in tasks.md first`);
  }
  const noted = noteParts(list, task, ids);
  const parts = titles.map((title, i) => writePart(list, task, ids[i] as string, title));
  const grown = insertTasks(
    { ...standing, list: noted },
    noted.tasks[task.index] as Task,
    "after",
    parts,
  );
  return asChanged(standing, task, "SPLIT_TASK", reason, grown, titles.join(" | "));
}

const partsOf = (list: TaskList, task: Task): Task[] =>
  list.tasks.filter((one) => helpedIds(one, "PART").includes(task.id.toUpperCase()));

/** The executor that gets the whole task last sees only its text, which must say what is done by then. */
function noteParts(list: TaskList, task: Task, ids: readonly string[]): TaskList {
  const note = `> Split into ${ids.join(", ")}: this task comes last and checks that together they do what it says.`;
  const { line, text } = placeNotes(list, task, readLeaves(list.lines), [note]);
  const noted = parseAgain(
    list,
    [...list.lines.slice(0, line), text, ...list.lines.slice(line)].join(""),
  );
  // In a list that is barely Markdown, text after a note can turn into a task.
  return noted.tasks.length === list.tasks.length ? noted : list;
}

function writePart(list: TaskList, task: Task, id: string, title: string): NewTask {
  const files = copyFields(list, task, ["files"]);
  const bullet = bulletOf(copyFields(list, task, ["do", "files", "verify"]));
  const { type, scope } = parseCommitField(fieldOf(list, task, "commit"));
  const head = scope === undefined ? type : `${type}(${scope})`;
  return {
    id,
    tags: [helpTag("PART", task.id)],
    title,
    fields: [
      `${bullet}**Do**: only this part of ${task.id}; tasks.md says what ${task.id} asks for`,
      ...files,
      ...(head === undefined ? [] : [`${bullet}**Commit**: \`${head}: ${stripMarkup(title)}\``]),
    ],
  };
}

/** A task that an agent wants to add next to another. */
export interface Addition {
  readonly title: string;
  /** By name, as in the file: `Do`, `Files`, `Verify`. */
  readonly fields: ReadonlyMap<string, string>;
}

/** Adds a task before or after another; one before it is handed out first. */
export function planAddition(
  found: RunStanding,
  task: Task,
  where: InsertPosition,
  addition: Addition,
  reason: string,
): Change {
  const standing = { ...found, state: restoreChanges(found) };
  const { list } = standing;
  const beside = list.tasks[where === "before" ? task.index - 1 : treeAt(list, task).end];
  if (beside !== undefined && !beside.checked && beside.title === addition.title) {
    return { kind: "already", ids: [beside.id], list };
  }
  if (task.checked && where === "before") {
    return refuse(`${task.id} is ticked, so nothing can come before it; use --after`);
  }
  const why = refusalOf(standing, task);
  if (why !== undefined) return refuse(why);
  const [id] = nextSubIds(list, task.id, 1);
  if (id === undefined && !task.id.startsWith("#")) {
    return refuse(`there is no free id next to ${task.id}; add the task to tasks.md by hand`);
  }
  // Next to a fix or a part, which is handed out of order, only one of the same kind comes in time.
  const tags = helpedIds(task).map((helped) => helpTag("PART", helped));
  const wanted: NewTask = { id, tags, ...addition };
  const type = where === "before" ? "ADD_PREREQUISITE" : "ADD_FOLLOWUP";
  const grown = insertTasks(standing, task, where, [wanted]);
  // After a fence that never ends there is no place: the task was put before it, where it would come too early.
  const isEarly = where === "after" && (grown?.added[0]?.index ?? 0) <= task.index;
  return asChanged(
    standing,
    task,
    type,
    reason,
    isEarly ? undefined : grown,
    `${where}: ${addition.title}`,
  );
}

const refuse = (why: string): Change => ({ kind: "refused", why });

function refusalOf({ list, state }: RunStanding, task: Task): string | undefined {
  const most = limitIn(state, "maxModificationsPerTask");
  const deepest = limitIn(state, "maxModificationDepth");
  const advice = "do it as it is, or report it with fail";
  if (countOf(state.modificationMap?.[keyOf(task.id)]) >= most) {
    const whose = keyOf(task.id) === "#" ? "tasks without an id have" : `${task.id} has`;
    return `${whose} been changed ${most} times, which is the limit: ${advice}`;
  }
  return lineageOf(list, state, task).changes >= deepest
    ? `${task.id} comes from a change of a change, and they nest no deeper than ${deepest}: ${advice}`
    : undefined;
}

function asChanged(
  standing: RunStanding,
  task: Task,
  type: ChangeType,
  reason: string,
  grown: InsertedTasks | undefined,
  note: string,
): Change {
  if (grown === undefined) {
    return refuse(`tasks.md has no place for a task next to ${task.id} (line ${task.line})`);
  }
  const { modificationMap = {} } = standing.state;
  const record = modificationMap[keyOf(task.id)];
  const ids = grown.added.map(({ id }) => id);
  return {
    kind: "changed",
    ids,
    list: grown.list,
    tasks: textOf(grown.list),
    write: {
      event: type === "SPLIT_TASK" ? "split" : "added",
      task: task.id,
      note: `${ids.join(", ")}: ${note}`,
      loop: grown.loop,
      state: {
        ...cacheFor(standing, grown),
        modificationMap: {
          ...modificationMap,
          [keyOf(task.id)]: {
            count: countOf(record) + 1,
            modifications: [...modificationsOf(record), ...ids.map((id) => ({ id, type, reason }))],
          },
        },
      },
    },
  };
}
