import { BOM, readLeaves } from "../../text/lines.ts";
import { readBox } from "../box.ts";
import type { TaskList } from "../model.ts";
import type { TaskDiagnostic } from "./lint.ts";

/** Lines that look like tasks but whose boxes are not written as Markdown has them. */
export const lintBoxes = (list: TaskList): TaskDiagnostic[] =>
  readBoxes(list).map(({ found }) => found);

/** The first line that is not read as a task although it has an id: a run would end without it. */
export const findSkipped = (list: TaskList): TaskDiagnostic | undefined =>
  readBoxes(list).find(({ id, found }) => id !== undefined && found.severity === "error")?.found;

interface OddBox<T = TaskDiagnostic> {
  readonly id: string | undefined;
  readonly found: T;
}

function readBoxes(list: TaskList): OddBox[] {
  const leaves = readLeaves(list.lines);
  const tasks = new Set(list.tasks.map(({ line }) => line));
  return list.lines.flatMap((text, i) => {
    if (leaves[i] !== "text") return [];
    const odd = lintLine(text.replace(BOM, "").trimEnd(), tasks.has(i + 1));
    return odd === undefined ? [] : [{ id: odd.id, found: { ...odd.found, line: i + 1 } }];
  });
}

const BULLET = /^([ \t]*)((?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*[-*+•]?)[ \t\u00A0]*/u;
/** The box, maybe escaped or drawn, its mark, and Kiro's `*` for "optional". */
const BOX =
  /^(\\?\[[ \t\u00A0]{0,4}((?:[xX]|[^\p{L}\p{N}\s[\]()*\\^]\uFE0F?)?)[ \t\u00A0]{0,4}\\?\]|[☐☑☒⬜🔲])(\\?\*(?=\s))?(?![(:])/u;

function lintLine(line: string, isTask: boolean): OddBox<Omit<TaskDiagnostic, "line">> | undefined {
  const [head = "", indent = "", bullets = ""] = BULLET.exec(line) ?? [];
  const [box = "", sign = "", mark = "", star = ""] = BOX.exec(line.slice(head.length)) ?? [];
  const rest = line.slice(head.length + box.length);
  const title = rest.trimStart();
  if (box === "" || title === "") return undefined;
  const isPlain =
    /^\[[ xX]\]$/.test(sign) && /[-*+.)][ \t]+$/.test(head) && /^[ \t]/.test(rest) && star === "";
  const id = readBox(`[ ] ${title}`, true)?.id;
  const isStarted = /^\[[-~/]\]$/.test(sign) && isTask;
  // Without an id it is a step of a task if it is indented, and text if it has no bullet.
  const isText = id === undefined && (indent.length > 1 || bullets === "");
  if (isPlain || isStarted || isText) return undefined;
  if (star !== "") return id === undefined ? undefined : { id, found: reportOptional(id) };

  const done = /[xX✓✔☑✅√]/u.test(mark || sign);
  const bullet = bullets.trimEnd().replace("•", "-") || "-";
  const found = {
    severity: isTask ? "warning" : "error",
    code: "malformed-box",
    message: `This looks like a task, but ${sayWhy(head, sign, rest)}. It is ${isTask ? "" : "not "}read as one.`,
    fix: `Write it as \`${bullet} [${done ? "x" : " "}] ${title}\`.`,
  } as const;
  return { id, found };
}

function sayWhy(head: string, sign: string, rest: string): string {
  if (!/[-*+.)]\s*$/.test(head)) return "it has no bullet";
  if (!/^\[[ xX]\]$/.test(sign)) return `its box is written ${sign}`;
  return /^[ \t]/.test(rest)
    ? "there is no space between its bullet and its box"
    : "there is no space after its box";
}

/** Kiro's mark for tasks that are skipped unless somebody asks for them. */
const reportOptional = (id: string): Omit<TaskDiagnostic, "line"> => ({
  severity: "info",
  code: "optional-task",
  message: `${id} is marked as optional by a * after its box, so it is not handed out.`,
  fix: "If it is to be done, remove the *; if not, leave it.",
});
