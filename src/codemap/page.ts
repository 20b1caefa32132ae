import { oneLine } from "../text/template.ts";
import { capitalize, counted } from "../text/wording.ts";
import { CATEGORIES, type Category } from "./classify.ts";
import type { CodeIndex, IndexedFile, IndexedSpec } from "./code-index.ts";
import type { ExternalSource } from "./external.ts";

/** Distinguishes a page that we made from one that a person wrote. */
export const PAGE_MARK = "<!-- Made by smart-ralph index; the next run replaces this file. -->";

/** About ten thousand tokens: an agent reads the whole page. */
export const MAX_PAGE = 40_000;
/** The part of it for specs and outside sources, and for the heading and last line of each category. */
const ROOM = { specs: 12_000, external: 4000, category: 400 } as const;
const MAX_FOLDERS = 6;

const MAX_SUMMARY = 100;

/** The map that people and agents read: what there is, by category, one line per file. */
export function renderIndexPage(index: CodeIndex, external: readonly ExternalSource[]): string {
  const { files, specs, updated } = index;
  const head = [
    "# Index",
    PAGE_MARK,
    `${counted(files.length, "source file")} and ${counted(specs.length, "spec")}, ${updated}. Each line: path — summary. The full list, with hashes: index-state.json.`,
    renderSection("Specs", specs.length, fitLines(specs.map(formatSpec), ROOM.specs)),
    renderSection(
      "External sources",
      external.length,
      fitLines(external.map(formatSource), ROOM.external),
    ),
  ].filter((part) => part !== "");
  const room = MAX_PAGE - head.join("\n\n").length;
  return `${[...head, ...renderFiles(files, room)].join("\n\n")}\n`;
}

function renderFiles(files: readonly IndexedFile[], room: number): string[] {
  const groups = CATEGORIES.map((category) => ({
    category,
    files: files.filter((file) => file.category === category),
  })).filter((group) => group.files.length > 0);
  const lines = groups.map((group) => group.files.map(formatFile));
  const shares = planShares(lines.map(measure), room - groups.length * ROOM.category);
  return groups.map(({ category, files: inGroup }, i) => {
    const own = lines[i] as string[];
    const fitting = own.slice(0, countFitting(own, shares[i] as number));
    const rest = inGroup.slice(fitting.length);
    const note =
      rest.length === 0 ? [] : [`- … and ${rest.length} more: ${summarizeFolders(rest)}`];
    return renderSection(formatTitle(category), inGroup.length, [...fitting, ...note].join("\n"));
  });
}

/** Room for each group: a small one gets all it needs, the large ones share what is left. */
export function planShares(sizes: readonly number[], room: number): number[] {
  const shares = sizes.map(() => 0);
  let left = Math.max(0, room);
  const order = sizes.map((_, i) => i).sort((a, b) => (sizes[a] as number) - (sizes[b] as number));
  for (const [done, i] of order.entries()) {
    const share = Math.min(sizes[i] as number, Math.floor(left / (order.length - done)));
    shares[i] = share;
    left -= share;
  }
  return shares;
}

const measure = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + line.length + 1, 0);

function countFitting(lines: readonly string[], share: number): number {
  let used = 0;
  const at = lines.findIndex((line) => (used += line.length + 1) > share);
  return at === -1 ? lines.length : at;
}

const formatFile = ({ path, summary }: IndexedFile): string =>
  `- ${oneLine(path, 200)}${summary === "" ? "" : ` — ${oneLine(summary, MAX_SUMMARY)}`}`;

function formatSpec({ name, standing, taskIndex, totalTasks, goal }: IndexedSpec): string {
  const tasks =
    totalTasks === 0 ? "no tasks yet" : `${taskIndex} of ${counted(totalTasks, "task")} done`;
  const said = goal === "" ? "" : ` — ${oneLine(goal, 240)}`;
  return `- **${oneLine(name, 80)}** — ${oneLine(standing, 60)}, ${tasks}${said}`;
}

const formatSource = ({ name, title, url }: ExternalSource): string =>
  `- ${oneLine(title, 120)}${url === "" ? "" : ` — ${oneLine(url, 200)}`} (external/${oneLine(name, 120)})`;

function fitLines(lines: readonly string[], room: number): string {
  const fitting = lines.slice(0, countFitting(lines, room));
  const more = lines.length - fitting.length;
  return [...fitting, ...(more > 0 ? [`- … and ${more} more`] : [])].join("\n");
}

/** Where the files are that did not fit. */
function summarizeFolders(files: readonly IndexedFile[]): string {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = path.split("/").slice(0, -1).slice(0, 2).join("/") || ".";
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const largest = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const shown = largest.slice(0, MAX_FOLDERS);
  const names = shown.map(([folder, size]) => `${oneLine(folder, 40)}/ (${size})`);
  return [...names, ...(largest.length > shown.length ? ["…"] : [])].join(", ");
}

const renderSection = (title: string, size: number, body: string): string =>
  size === 0 ? "" : `## ${title} (${size})\n\n${body}`;

const formatTitle = (category: Category): string =>
  category === "source" ? "Other source" : capitalize(category);
