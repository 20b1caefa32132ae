import { commandFor, isInClient, type Request, waysToBegin } from "../../../../engine/request.ts";
import {
  findCurrentSpec,
  findProjects,
  listAllSpecs,
  resolveProject,
} from "../../../../engine/resolve-spec.ts";
import { findWork } from "../../../../engine/run-trees.ts";
import { readStanding, standingOf } from "../../../../engine/standing.ts";
import type { Waiting } from "../../../../facts/waiting.ts";
import type { Edition } from "../../../../layouts/layout.ts";
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
  name: "list",
  summary: "every spec: where it is, and which one is active",
  group: "look",
  options: { archived: { type: "boolean", summary: "those that archive put away, newest first" } },
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
    json: { ok: true, archived },
  };
}

/** How the reader gets to that list. */
export const listingCommand = (request: Request, { voice }: Edition): string =>
  isInClient(request)
    ? `${voice.command("switch")} lists them`
    : `${request.program} list shows them`;

export function renderSpecs(context: Context, all: readonly Spec[]): Result {
  const waiting = readWaiting(context, all.map(findWork));
  const specs = all.map((spec) => {
    const there = findWork(spec);
    return {
      spec: spec.name,
      path: spec.basePath,
      standing: `${standingOf(there)}${there === spec ? "" : ", in a run's tree"}`,
      active: isActive(context, spec),
      finished: isFinished(there),
      ...whyStopped(there),
    };
  });
  const { layout } = resolveProject(context);
  return {
    text:
      specs.length > 0
        ? [renderRows(context, specs), ...tellWaiting(context, waiting)].join("\n")
        : `There are no ${layout.unit}s yet. Begin with ${waysToBegin(context, layout)}`,
    json: { ok: true, specs, waiting },
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

interface Stopped {
  readonly why: string | null;
  readonly todo: string | null;
}

/** Why nobody works on it although its run is not over, and what continues it. */
function whyStopped(spec: Spec): Stopped {
  const goOn = (): string => lastCommand(spec.project.root, spec.name);
  const { standing, why, todo } = readStanding(spec, readDisk(spec), false, goOn);
  return standing === "stopped" ? { why, todo } : { why: null, todo: null };
}

function isActive(context: Context, { project, folder }: Spec): boolean {
  const found = findCurrentSpec(context, project);
  return found.kind === "ok" && found.spec.folder === folder;
}

interface Row {
  readonly spec: string;
  readonly path: string;
  readonly standing: string;
  readonly active: boolean;
  readonly finished: boolean;
}

/** Where there is no room for the path, it is left out. */
function renderRows({ colour, width }: Context, rows: readonly Row[]): string {
  const { good, accent, dim } = paint(colour);
  const cells = rows.map(({ spec, standing }) => [spec, standing]);
  const full = renderColumns(
    rows.map(({ spec, standing, path }) => [spec, standing, path]),
    undefined,
  );
  const room = width === undefined ? Infinity : width - 2;
  const isWide = full.every((line) => widthOf(line) <= room);
  const lines = isWide ? full : renderColumns(cells, room);
  return rows
    .map((row, i) => {
      const mark = row.active ? accent("▶") : row.finished ? good("✓") : " ";
      const line = lines[i] as string;
      return `${mark} ${row.finished && !row.active ? dim(line) : line}`;
    })
    .join("\n");
}
