import { diagnose } from "../../../../engine/doctor/doctor.ts";
import { readStatus } from "../../../../engine/read-status.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { findProjectFor } from "../../../../engine/resolve-spec.ts";
import { EXECUTION, type Edition } from "../../../../layouts/layout.ts";
import type { Spec } from "../../../../store/spec.ts";
import type { Diagnostic } from "../../../../text/diagnostic.ts";
import { clean, oneLine } from "../../../../text/template.ts";
import { counted } from "../../../../text/wording.ts";
import type { Command, Context, Input } from "../../command.ts";
import { nameOf, specAtWork } from "../../named-spec.ts";
import { issues, version } from "../../version.ts";

export const feedback: Command = {
  summary: "a bug report to paste: versions and counts, nothing from your files",
  args: ["[text…]"],
  options: { "with-names": { summary: "include the spec's name" } },
  details: `Nothing is sent. The report holds no text from specs, notes or journals, no file's content, no path, and no name
of a spec unless you ask for it.`,
  async run(context, input) {
    const facts = await readFacts(context, input);
    const text = clean(input.args.join(" ")).trim();
    const report = renderReport(text, facts);
    const where = issues === "" ? "the issue page of the repository you installed from" : issues;
    return {
      verbatim: true,
      text: `Nothing was sent. Paste what follows at ${where}:\n\n${report}`,
      json: { text, where, ...facts, report },
    };
  },
};

type Facts = Awaited<ReturnType<typeof readFacts>>;

async function readFacts(context: Context, input: Input) {
  const findings = await diagnose(context);
  const project = findProjectFor(context, nameOf(input));
  const client = findings.find(({ code }) => code === context.host.name)?.message ?? "";
  return {
    program: context.program,
    version,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    clients: /\d\.\d+\.\d/.test(client) ? [oneLine(client.split(" is ", 1)[0] ?? "", 40)] : [],
    layout: project?.layout.id ?? null,
    spec: readSpecCounts(context, input),
    doctor: countFindings(findings),
  };
}

/** Only numbers, times and our own words: the state and the journal may contain anything. */
function readSpecCounts(context: Context, input: Input) {
  const spec = specOrNone(context, input);
  if (spec === undefined) return null;
  const { standing, phase, ...status } = readStatus(context, spec);
  return {
    ...(input.options["with-names"] === true ? { name: oneLine(spec.name, 120) } : {}),
    standing: standing.startsWith("in phase ") ? "in a phase before execution" : standing,
    phase: phase === null ? null : knownPhase(spec.project.layout, phase),
    tasks: status.total,
    done: status.done,
    proven: status.counts.proven,
    exhausted: status.exhausted.length,
    turn: status.iteration,
    maxTurns: status.maxIterations,
    otherSpecs: status.others.length,
    events: status.events.map(({ at, event, task }) => ({
      at: /^[\dT:.Z+-]{10,40}$/.test(at) ? at : "?",
      event: /^[a-z-]{1,20}$/.test(event) ? event : "?",
      task: task !== undefined && /^[A-Z]{0,3}\d[\d.]{0,12}$/.test(task) ? task : null,
    })),
  };
}

function specOrNone(context: Context, input: Input): Spec | undefined {
  try {
    return specAtWork(context, input);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

const knownPhase = (layout: Edition, phase: string): string =>
  phase === EXECUTION || layout.phases.some(({ name }) => name === phase) ? phase : "unknown";

function countFindings(findings: readonly Diagnostic[]) {
  const counts = { ok: 0, info: 0, warning: 0, error: 0 };
  const codes: Record<string, number> = {};
  for (const { severity, code } of findings) {
    counts[severity]++;
    if (severity === "warning" || severity === "error") codes[code] = (codes[code] ?? 0) + 1;
  }
  return { ...counts, codes };
}

const PLACEHOLDER = "(What did you do, what did you expect, and what happened instead?)";

function renderReport(text: string, facts: Facts): string {
  const { doctor } = facts;
  const codes = Object.entries(doctor.codes).map(([code, count]) => `${code} × ${count}`);
  return [
    "## What happened",
    "",
    text === "" ? PLACEHOLDER : text,
    "",
    "## Where",
    "",
    `- ${facts.program} ${facts.version}, node ${facts.node}, ${facts.platform}`,
    `- clients: ${facts.clients.length === 0 ? "none found on PATH" : facts.clients.join(", ")}`,
    `- layout: ${facts.layout ?? "no specs found"}`,
    `- doctor: ${doctor.ok} ok, ${doctor.info} info, ${counted(doctor.warning, "warning")}, ${counted(doctor.error, "error")}${codes.length === 0 ? "" : ` (${codes.join(", ")})`}`,
    "",
    "## The spec",
    "",
    ...specLines(facts.spec),
  ].join("\n");
}

function specLines(spec: Facts["spec"]): string[] {
  if (spec === null) return ["No active spec."];
  const failed = spec.exhausted === 0 ? "" : `, ${spec.exhausted} out of attempts`;
  return [
    ...(spec.name === undefined ? [] : [`- name: ${spec.name}`]),
    `- ${spec.standing}${spec.phase === null ? "" : `, phase ${spec.phase}`}`,
    `- ${spec.done} of ${counted(spec.tasks, "task")} done, ${spec.proven} proven${failed}`,
    `- turn ${spec.turn} of ${spec.maxTurns}; other specs: ${spec.otherSpecs}`,
    ...(spec.events.length === 0 ? [] : ["- last events:"]),
    ...spec.events.map(
      ({ at, event, task }) => `  - ${at} ${event}${task === null ? "" : ` ${task}`}`,
    ),
  ];
}
