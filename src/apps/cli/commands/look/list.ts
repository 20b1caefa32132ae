import { isInClient, type Request, waysToBegin } from "../../../../engine/request.ts";
import {
  findCurrentSpec,
  findProjects,
  listAllSpecs,
  resolveProject,
} from "../../../../engine/resolve-spec.ts";
import { findWork } from "../../../../engine/run-trees.ts";
import { readStanding, standingOf } from "../../../../engine/standing.ts";
import type { Edition } from "../../../../layouts/layout.ts";
import { lastCommand } from "../../../../runner/go-on.ts";
import { listArchived } from "../../../../store/archive.ts";
import { isFinished, readDisk } from "../../../../store/spec-files.ts";
import type { Spec } from "../../../../store/spec.ts";
import { quoteName } from "../../../../text/quote.ts";
import { oneLine } from "../../../../text/template.ts";
import { renderColumns, widthOf } from "../../columns.ts";
import type { Command, Context, Result } from "../../command.ts";
import { paint } from "../../paint.ts";

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
        ? [renderRows(context, specs), ...tellStopped(specs)].join("\n")
        : `There are no ${layout.unit}s yet. Begin with ${waysToBegin(context, layout)}`,
    json: { ok: true, specs },
  };
}

interface Stopped {
  readonly why: string | null;
  readonly todo: string | null;
}

/** Why nobody works on it although its run is not over, and what continues it. */
export function whyStopped(spec: Spec): Stopped {
  const goOn = (): string => lastCommand(spec.project.root, spec.name);
  const { standing, why, todo } = readStanding(spec, readDisk(spec), false, goOn);
  return standing === "stopped" ? { why, todo } : { why: null, todo: null };
}

export const tellStopped = (specs: readonly (Stopped & { readonly spec: string })[]): string[] =>
  specs
    .filter(({ why }) => why !== null)
    .map(({ spec, why, todo }) => `→ ${quoteName(spec)}: ${oneLine(why ?? "", 200)}; ${todo}`);

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
