import { dirname, join } from "node:path";
import {
  type Baseline,
  entriesOf,
  formatBaseline,
  parseBaseline,
  splitProblems,
} from "../spec/baseline.ts";
import type { Trace } from "../spec/trace.ts";
import { readProjectFile, removeProjectFile, writeProjectFile } from "../store/project-file.ts";
import { MAX_BYTES } from "../store/read.ts";
import { shownPath, type Spec } from "../store/spec.ts";
import { requireShell } from "./authority.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";

/** What a spec's baseline accepts, and what of it is no longer there. */
export interface KnownProblems extends Pick<Trace, "problems"> {
  readonly known: Trace["problems"];
  readonly stale: readonly string[];
}

/** Beside the specs that it is about, so that it is committed with them. */
const fileOf = ({ folder }: Pick<Spec, "folder">): string =>
  join(dirname(folder), ".trace-baseline.json");

export const applyBaseline = (spec: Spec, { problems }: Pick<Trace, "problems">): KnownProblems =>
  splitProblems(problems, readBaseline(spec).get(spec.name) ?? []);

function readBaseline(spec: Spec): Baseline {
  const path = fileOf(spec);
  const file = readProjectFile(spec.project, path, MAX_BYTES.tasks);
  if (file.kind === "absent") return new Map();
  const baseline = file.kind === "ok" ? parseBaseline(file.text) : undefined;
  if (baseline !== undefined) return baseline;
  const why = file.kind === "ok" ? "it is not a baseline" : file.why;
  throw new Refusal(
    "broken",
    `${shownPath(spec.project, path)} cannot be read: ${why}`,
    "restore it from git, or remove it and run trace --baseline",
  );
}

/** A baseline as written: where, and how many problems of these specs it accepts. */
export interface WrittenBaseline {
  readonly path: string;
  readonly problems: number;
  readonly before: number;
}

/**
 * Accepts the present problems of these specs. `isAll`: there are no others, and what the baseline says about specs that
 * are gone is dropped. Only the user may: an agent would accept the failures of its own run.
 */
export function writeBaselines(
  request: Request,
  traced: readonly (readonly [Spec, KnownProblems])[],
  isAll: boolean,
): WrittenBaseline[] {
  requireShell(request, "trace --baseline");
  const files = new Map(traced.map(([spec]) => [fileOf(spec), spec]));
  return [...files].map(([path, spec]) => {
    const own = traced.filter(([one]) => fileOf(one) === path);
    const before = readBaseline(spec);
    const baseline = new Map(isAll ? [] : before);
    for (const [{ name }, { problems, known }] of own)
      baseline.set(name, entriesOf([...problems, ...known]));
    const problems = countOf(baseline);
    if (problems > 0) writeProjectFile(spec.project, path, formatBaseline(baseline));
    else removeProjectFile(spec.project, path);
    return { path: shownPath(spec.project, path), problems, before: countOf(before) };
  });
}

const countOf = (baseline: Baseline): number =>
  [...baseline.values()].reduce((sum, entries) => sum + entries.length, 0);
