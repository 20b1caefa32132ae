import { lintTasks } from "../../tasks/lint/lint.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { clean } from "../../text/clean.ts";
import { groupBy } from "../../text/group.ts";
import { type Line, readMarkdown } from "../../text/markdown.ts";
import { counted } from "../../text/wording.ts";
import { firstParagraph } from "../goal.ts";
import { splitFirstId } from "../requirement-ids.ts";
import {
  type Foreign,
  type ForeignStory,
  type ForeignTask,
  MAX_TASKS,
  NotAList,
  plain,
  tooLong,
  verifyIn,
} from "./foreign.ts";
import { type Item, readItems } from "./items.ts";
import { readTasks } from "./read-boxes.ts";

const STORY = /^(?:(?:user\s+)?stor(?:y|ies)\s+#?\d+|US-?\d+)\b/i;
const STORIES = /\buser stor(?:y|ies)\b/i;
const WANTED = /\b(?:requirements?|features?|tasks?|to-?do|milestones?|scope|backlog)\b/i;
const UNWANTED =
  /\b(?:non-?goals?|out[- ]of[- ]scope|not in scope|open questions?|success|metrics?|risks?|future)\b/i;

/** A list of boxes, or a PRD: stories with their criteria, or bullets below a heading that asks for something. */
export function readMarkdownList(text: string): Foreign {
  const lines = readMarkdown(text);
  const raw = text.split(/\r?\n/);
  const title = lines.find(({ kind, level }) => kind === "heading" && level === 1)?.text;
  const items = readItems(lines, raw);
  const stories = readStories(lines, items);
  const common = {
    title:
      title === undefined
        ? undefined
        : plain(
            title.replace(/^(?:tasks?|prd|product requirements(?: document)?)\s*[:–—-]\s*/i, ""),
            120,
          ),
    goal: firstParagraph(text),
    checks: [],
  };
  if (stories.length > 0)
    return {
      ...common,
      format: "PRD",
      tasks: stories.map(storyTask),
      left: leftSections(lines, stories),
    };
  const boxes = items.filter(({ isDone }) => isDone !== undefined);
  const list = parseTasks(text);
  const isOurs =
    list.tasks.length > 0 &&
    list.tasks.every(({ line }) => OWN_ID.test(list.lines[line - 1] ?? "")) &&
    !lintTasks(list).some(({ severity }) => severity === "error");
  const { tasks, unused } = readTasks(items, boxes.length > 0 ? () => true : isWanted);
  if (tasks.length === 0)
    throw new NotAList(
      "it has no boxes, no user stories, and no list below a heading such as Requirements",
      "start a spec from it instead: start <file>",
    );
  return {
    ...common,
    format: boxes.length > 0 ? "list of tasks" : "PRD",
    tasks,
    left: isOurs ? [] : leftItems(unused, boxes.length > 0),
    ...(isOurs ? { whole: clean(text) } : {}),
  };
}

/** `- [ ] 1.2 title`, `- [x] T012 [P] title`. */
const OWN_ID = /^\s*[-*+]\s+\[.\]\s+(?:\d+(?:\.\d+)+|T\d+|V[EF]?\d*)\s/;

const isWanted = ({ headings }: Item): boolean =>
  headings.some((one) => WANTED.test(one)) && !headings.some((one) => UNWANTED.test(one));

/** A story says what it is about in its first lines. */
const NEAR = 30;

interface MarkdownStory {
  readonly heading: Line;
  readonly story: ForeignStory;
  readonly isDone: boolean;
}

/** A heading for each story; its criteria are the items below it. */
function readStories(lines: readonly Line[], items: readonly Item[]): MarkdownStory[] {
  const above: string[] = [];
  const below = groupBy(items, ({ section }) => section);
  const stories: MarkdownStory[] = [];
  for (const [at, heading] of lines.entries()) {
    const { kind, level, text } = heading;
    if (kind !== "heading") continue;
    above.splice(level - 1);
    above[level - 1] = text;
    const isStory = STORY.test(text) || (level > 2 && STORIES.test(above[level - 2] ?? ""));
    if (!isStory) continue;
    if (stories.length >= MAX_TASKS) throw tooLong();
    const own = below.get(heading.number) ?? [];
    const named = own.filter(({ label, isDone }) => /criteri/i.test(label) || isDone !== undefined);
    const near = lines.slice(at + 1, at + 1 + NEAR);
    const next = near.findIndex((line) => line.kind === "heading");
    const said = near
      .slice(0, next === -1 ? NEAR : next)
      .find(
        (line) =>
          line.kind === "text" &&
          !line.isItem &&
          !/criteri/i.test(line.text) &&
          line.text.length > 20,
      );
    stories.push({
      heading,
      story: {
        title: storyTitle(text),
        text: plain(
          (said?.text ?? "").replace(
            /^(?:\*\*|__)?(?:description|story)(?:\*\*|__)?\s*:(?:\*\*|__)?/i,
            "",
          ),
        ),
        criteria: (named.length > 0 ? named : own).map((item) => plain(item.text)).filter(Boolean),
      },
      isDone: isTicked(own),
    });
  }
  return stories;
}

function isTicked(items: readonly Item[]): boolean {
  const boxes = items.filter(({ isDone }) => isDone !== undefined);
  return boxes.length > 0 && boxes.every(({ isDone }) => isDone === true);
}

function storyTitle(heading: string): string {
  const rest = splitFirstId(heading)?.rest ?? heading.replace(STORY, "");
  return (
    plain(rest.replace(/^[\s:.–—-]+/, "").replace(/\(priority:[^()]*\)/i, ""), 160) ||
    plain(heading, 160)
  );
}

/** Done if all of its criteria are ticked: that is where such files are ticked. */
function storyTask({ story, isDone }: MarkdownStory): ForeignTask {
  return {
    id: undefined,
    title: story.title,
    group: undefined,
    steps: story.text === "" ? [] : [story.text],
    doneWhen: story.criteria,
    files: [],
    verify: verifyIn(story.criteria),
    isDone,
    dependsOn: [],
    story,
  };
}

/** In a list of boxes, what has none; otherwise, what is below a heading that asks for nothing. */
function leftItems(unused: readonly Item[], hasBoxes: boolean): string[] {
  const sections = [...new Set(unused.map(({ headings }) => headings.at(-1) ?? ""))];
  const names = hasBoxes
    ? unused.map(({ text }) => `"${plain(text, 60)}"`)
    : sections.filter(Boolean);
  const few = names.slice(0, MAX_NAMED).join(", ") + (names.length > MAX_NAMED ? ", …" : "");
  if (unused.length === 0) return [];
  const what = counted(unused.length, "item");
  return [hasBoxes ? `${what} without a box: ${few}` : `${what} below ${few || "no heading"}`];
}

const MAX_NAMED = 20;

/** What a PRD says besides its stories. */
function leftSections(lines: readonly Line[], stories: readonly MarkdownStory[]): string[] {
  const own = new Set(stories.map(({ heading }) => heading));
  const titles = lines
    .filter(
      (line) =>
        line.kind === "heading" && line.level === 2 && !own.has(line) && !STORIES.test(line.text),
    )
    .map(({ text }) => plain(text, 60));
  return titles.length === 0 ? [] : [`the sections ${titles.slice(0, 20).join(", ")}`];
}
