import { commandFor, waysToBegin } from "../../../../engine/request.ts";
import {
  findCurrentSpec,
  findProjects,
  listAllSpecs,
  resolveProject,
} from "../../../../engine/resolve-spec.ts";
import { findWork } from "../../../../engine/run-trees.ts";
import { readStanding, standingOf } from "../../../../engine/standing.ts";
import type { Waiting } from "../../../../facts/waiting.ts";
import { lastCommand } from "../../../../runner/go-on.ts";
import { readWaiting } from "../../../../runner/read-waiting.ts";
import { listArchived } from "../../../../store/archive.ts";
import { isFinished, readDisk } from "../../../../store/spec-files.ts";
import type { Spec } from "../../../../store/spec.ts";
import { renderColumns, widthOf } from "../../columns.ts";
import type { Command, Context, Result } from "../../command.ts";
import { paint } from "../../paint.ts";
import { renderAmongSpecs } from "../../waiting-lines.ts";

export const list: Command = {
  summary: "every spec: where it is, and which one is active",
  options: { archived: { summary: "those that archive put away, newest first" } },
  run: (context, input) =>
    input.options["archived"] === true
      ? listPutAway(context)
      : renderSpecs(context, listAllSpecs(context)),
};

function listPutAway(context: Context): Result {
  const found = findProjects(context)
    .flatMap(listArchived)
    .map(({ name, at, spec }) => ({ spec: name, path: spec.basePath, at }));
  // Two layouts may keep specs in the same folder.
  const archived = [...new Map(found.map((one) => [one.path, one])).values()];
  const { dim } = paint(context.colour);
  return {
    text:
      archived.map(({ spec, path, at }) => `${at}  ${spec}  ${dim(path)}`).join("\n") ||
      "nothing is archived",
    json: { archived },
  };
}

export function renderSpecs(context: Context, all: readonly Spec[]): Result {
  const waiting = readWaiting(context, all.map(findWork));
  const specs = all.map((spec) => describe(context, spec));
  const { layout } = resolveProject(context);
  return {
    text:
      specs.length > 0
        ? [renderRows(context, specs), ...tellWaiting(context, waiting)].join("\n")
        : `There are no ${layout.unit}s yet. Begin with ${waysToBegin(context, layout)}`,
    json: { specs, waiting },
  };
}

function describe(context: Context, spec: Spec) {
  const there = findWork(spec);
  return {
    spec: spec.name,
    path: spec.basePath,
    standing: `${standingOf(there)}${there === spec ? "" : ", in a run's tree"}`,
    active: isActive(context, spec),
    finished: isFinished(there),
    ...whyStopped(there),
  };
}

/** Below the specs there is room for so much of it. */
const MAX_WAITING = 6;

function tellWaiting(context: Context, waiting: readonly Waiting[]): string[] {
  const shown = waiting.slice(0, MAX_WAITING);
  const lines = renderAmongSpecs(shown, paint(context.colour), context.width);
  const more = waiting.length - shown.length;
  const inbox = commandFor(context, resolveProject(context).layout, "inbox");
  const rest = more === 0 ? [] : [`… and ${more} more; ${inbox} shows everything`];
  return lines.length === 0 ? [] : ["", "Waits for you:", ...lines, ...rest];
}

/** Why nobody works on it although its run is not over, and what continues it. */
function whyStopped(spec: Spec) {
  const goOn = (): string => lastCommand(spec.project.root, spec.name);
  const { standing, why, todo } = readStanding(spec, readDisk(spec), false, goOn);
  return standing === "stopped" ? { why, todo } : { why: null, todo: null };
}

function isActive(context: Context, { project, folder }: Spec): boolean {
  const found = findCurrentSpec(context, project);
  return found.kind === "ok" && found.spec.folder === folder;
}

/** Where there is no room for the path, it is left out. */
function renderRows(
  { colour, width }: Context,
  rows: readonly ReturnType<typeof describe>[],
): string {
  const { good, accent, dim } = paint(colour);
  const cells = rows.map(({ spec, standing, path }) => [spec, standing, path]);
  const room = width === undefined ? Infinity : width - 2;
  const full = renderColumns(cells, undefined);
  const isWide = full.every((line) => widthOf(line) <= room);
  const lines = isWide
    ? full
    : renderColumns(
        cells.map((row) => row.slice(0, 2)),
        room,
      );
  return rows
    .map((row, i) => {
      const mark = row.active ? accent("▶") : row.finished ? good("✓") : " ";
      const line = lines[i] as string;
      return `${mark} ${row.finished && !row.active ? dim(line) : line}`;
    })
    .join("\n");
}
