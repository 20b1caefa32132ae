import type { Disk } from "../../../../run/decision.ts";
import type { Entry } from "../../../../run/journal.ts";
import { EXECUTION, slash } from "../../../../layouts/layout.ts";
import { currentLoop } from "../../../../run/loop.ts";
import { planBrief } from "../../../../run/hand-out.ts";
import { commandAfter, phaseNamed } from "../../../../layouts/phases.ts";
import { locate } from "../../../../tasks/position.ts";
import { planReceipt } from "../../../../run/claim/receipt.ts";
import { isKnown } from "../../../../run/trust.ts";
import { quoteName } from "../../../../text/quote.ts";
import { oneLine } from "../../../../text/template.ts";
import { readAllEntries, readDisk, readEntries } from "../../../../store/spec-files.ts";
import { hasDocument } from "../../../../store/documents.ts";
import { listSpecs, type Spec } from "../../../../store/spec.ts";
import type { Command, Context } from "../../command.ts";
import { openSpec, sessionOf } from "../../../../engine/resolve-spec.ts";
import { paint, type Paint } from "../../paint.ts";
import { standingOf } from "../../../../engine/standing.ts";

export const status: Command = {
  name: "status",
  summary: "where the spec stands, what happened last, and what to do",
  args: ["[spec]"],
  group: "look",
  run(context, input) {
    const spec = openSpec(context, input, input.args[0]);
    const report = reportOn(context, spec);
    return { text: renderStatus(report, paint(context.colour)), json: { ok: true, ...report } };
  },
};

type Report = ReturnType<typeof reportOn>;

export function reportOn(context: Context, spec: Spec) {
  const disk = readDisk(spec);
  const list = disk.tasks.kind === "ok" ? disk.tasks.list : undefined;
  const state = disk.state.kind === "ok" ? disk.state.state : {};
  const loop = currentLoop(state, disk.last, context.now());
  const brief = planBrief(spec, list, state, loop);
  const position = list === undefined ? undefined : locate(list);
  const session = sessionOf(context);
  return {
    spec: spec.name,
    path: spec.basePath,
    unit: spec.project.layout.unit,
    ...standing(disk),
    total: brief.total,
    done: position === undefined ? 0 : position.total - position.open.length,
    proven:
      list === undefined
        ? 0
        : planReceipt(list, readAllEntries(spec)).filter(
            ({ done, evidence }) => done && evidence.length > 0,
          ).length,
    next: brief.current.map(({ id, title, attempt }) => ({ id, title, attempt })),
    exhausted: brief.exhausted.map((task) => task.id),
    phase: state.phase ?? null,
    documents: spec.project.layout.phases.map(({ document }) => ({
      document,
      exists: hasDocument(spec, document),
    })),
    iteration: loop.iteration,
    maxIterations: loop.maxIterations,
    maxAttempts: loop.maxAttempts,
    session: loop.session,
    thisSession: session === null ? null : loop.session === session,
    events: readEntries(spec)
      .slice(-5)
      .map(({ at, event, task, note }) => ({ at, event, task, note })),
    others: listSpecs(spec.project)
      .filter((other) => other.folder !== spec.folder)
      .map(summaryOf),
  };
}

/** What the loop does now, and the command that changes that. */
export function standing(disk: Disk): {
  standing: string;
  why: string | null;
  todo: string | null;
} {
  const { layout, state: file, last } = disk;
  const implement = slash(layout, "implement");
  const resume = slash(layout, "resume");
  if (file.kind === "corrupt")
    return {
      standing: "corrupt",
      why: file.why,
      todo: `${implement} rebuilds the state, ${slash(layout, "cancel")} ends the run`,
    };
  if (file.kind === "absent") return idle(disk);
  if (!isKnown(file, disk.record, last, last?.loop.session ?? null)) {
    return {
      standing: "from elsewhere",
      why: "this run was not started on this machine",
      todo: `${resume} ${quoteName(disk.spec.name)} takes it up`,
    };
  }
  const { state } = file;
  if (state.paused === true) return { standing: "paused", why: null, todo: `${resume} goes on` };
  const phase = phaseNamed(layout, state.phase);
  if (state.awaitingApproval === true) {
    const next = phase === undefined ? "resume" : commandAfter(layout, phase);
    return {
      standing: "waiting for your approval",
      why: state.approvalReason ?? null,
      todo: `${slash(layout, next)} approves and goes on`,
    };
  }
  if (last !== undefined && isEnd(last)) {
    return { standing: "stopped", why: last.note ?? last.event, todo: `${resume} goes on` };
  }
  if (state.phase !== EXECUTION) {
    const todo = phase === undefined ? null : `${slash(layout, "start")} goes on`;
    return { standing: `in phase ${state.phase ?? "?"}`, why: null, todo };
  }
  return { standing: "running", why: null, todo: `${slash(layout, "pause")} pauses it` };
}

function idle({ layout, last, tasks, spec }: Disk): {
  standing: string;
  why: string | null;
  todo: string | null;
} {
  const open = tasks.kind === "ok" && tasks.list.tasks.some((task) => !task.checked);
  if (last?.event === "finished" && !open) return { standing: "finished", why: null, todo: null };
  const begins = open
    ? slash(layout, "implement")
    : `${slash(layout, "start")} ${quoteName(spec.name)}`;
  if (last?.event === "cancelled")
    return { standing: "cancelled", why: null, todo: `${begins} starts again` };
  const todo = open || tasks.kind === "absent" ? `${begins} starts it` : null;
  return { standing: "not running", why: null, todo };
}

const isEnd = (entry: Entry): boolean =>
  entry.event === "service-error" ||
  entry.event === "session-ended" ||
  entry.loop.told === "stalled" ||
  entry.loop.told === "limit" ||
  entry.loop.told === "exhausted";

const summaryOf = (spec: Spec): { spec: string; path: string; standing: string } => ({
  spec: spec.name,
  path: spec.basePath,
  standing: standingOf(spec),
});

function renderStatus(report: Report, { bold, dim, good, warn, bad, accent }: Paint): string {
  const colour =
    { running: good, finished: good, stopped: bad, corrupt: bad }[report.standing] ?? warn;
  const lines = [
    `${bold(report.spec)} ${dim(report.path)}  ${colour(short(report.standing, 60))}${report.why === null ? "" : `: ${short(report.why, 300)}`}`,
    ...(report.phase === EXECUTION || report.total > 0
      ? []
      : [
          report.documents
            .map(({ document, exists }) => (exists ? good(`✓ ${document}`) : dim(`· ${document}`)))
            .join("  "),
        ]),
    ...(report.total > 0
      ? [
          `${accent(bar(report.done, report.total))} ${report.done} of ${report.total} tasks done${report.done > 0 ? `, ${report.proven} proven by their Verify` : ""}`,
        ]
      : []),
    ...report.next.map(
      ({ id, title, attempt }) =>
        `next   ${bold(id)} ${oneLine(title, 80)}${attempt > 1 ? warn(` (attempt ${attempt} of ${report.maxAttempts})`) : ""}`,
    ),
    ...(report.exhausted.length > 0
      ? [bad(`failed ${report.exhausted.join(", ")}: all ${report.maxAttempts} attempts used`)]
      : []),
    ...(report.events.length > 0
      ? [
          dim(
            `turn   ${report.iteration} of at most ${report.maxIterations}; session ${short(report.session ?? "not bound yet", 60)}${report.thisSession === true ? " (this one)" : ""}`,
          ),
        ]
      : []),
    ...report.events.map(({ at, event, task, note }) =>
      dim(
        `${short(at, 24).slice(0, 19).replace("T", " ")}  ${short(event, 20)}${task === undefined ? "" : ` ${short(task, 20)}`}${note === undefined ? "" : `: ${short(note, 100)}`}`,
      ),
    ),
    ...report.others.map(({ spec, standing: where }) => dim(`other  ${spec}: ${where}`)),
    ...(report.todo === null ? [] : [`→ ${report.todo}`]),
  ];
  return lines.join("\n");
}

/** State and journal are files that anyone may have written: whatever stands there goes on one line. */
const short = (value: unknown, max: number): string => oneLine(String(value), max);

function bar(done: number, total: number, width = 24): string {
  const filled = total === 0 ? 0 : Math.floor((done / total) * width);
  return `${"█".repeat(filled)}${"░".repeat(width - filled)}`;
}
