import { resolveOrBeginProject } from "../../../../engine/resolve-spec.ts";
import { submitConstitution } from "../../../../engine/submit-constitution.ts";
import { type Submission, submitDocument } from "../../../../engine/submit-document.ts";
import { CONSTITUTION, worksItself } from "../../../../layouts/layout.ts";
import { renderFindings } from "../../../../prompts/phase.ts";
import type { Project } from "../../../../store/project.ts";
import type { Spec } from "../../../../store/spec.ts";
import { quotePath } from "../../../../text/quote.ts";
import type { Command, Result } from "../../command.ts";
import { specOf } from "../../named-spec.ts";

export const submit: Command = {
  summary: "the phase's document is written: check it, and wait for the user's approval",
  args: ["[spec|constitution]"],
  details:
    "Refuses a document with missing sections, unresolved placeholders, tasks that lint refuses, or requirements no task\nrefers to. One that passes is committed where the spec's documents are, and waits for approval; in quick mode the next\nphase follows at the end of the turn. `submit constitution` does so with the project's constitution: its version has\nto rise, and its report to say from what.",
  run(context, input) {
    if (input.args[0] === "constitution") return submitRules(resolveOrBeginProject(context));
    const spec = specOf(context, input, input.args[0]);
    const submission = submitDocument(context, spec);
    return submission.kind === "refused" ? refused(spec, submission) : accepted(spec, submission);
  },
};

function submitRules(project: Project): Result {
  const result = submitConstitution(project);
  if (result.kind === "refused")
    return {
      ok: false,
      text: `constitution.md is not finished:\n${renderFindings(result.findings)}\nFix that, then submit again.`,
      json: { document: CONSTITUTION, findings: result.findings },
    };
  const { path, version, commit } = result;
  return {
    text: `${quotePath(path)}/${CONSTITUTION} is version ${version}${commit.said}.`,
    json: { document: CONSTITUTION, version, ...commit.json },
  };
}

type Refused = Extract<Submission, { kind: "refused" }>;
type Accepted = Extract<Submission, { kind: "accepted" }>;

function refused(spec: Spec, submission: Refused): Result {
  const { phase, round, findings } = submission;
  return {
    ok: false,
    text: `${quotePath(spec.basePath)}/${phase.document} is not finished:\n${renderFindings(findings)}\n${adviceFor(spec, submission)}`,
    json: { spec: spec.name, document: phase.document, round, findings },
  };
}

/** Nobody watches quick mode: the agent must stop, or nothing limits its attempts. */
function adviceFor({ project }: Spec, { phase, isQuick, isLast }: Refused): string {
  if (isQuick) return "End your turn; this is handed back to you.";
  return isLast
    ? "This was refused several times: tell the user what is missing, and end your turn."
    : worksItself(project.layout)
      ? "Fix that in the file, then submit again."
      : `Send this back to \`${project.layout.voice.agent(phase.agent)}\`, then submit again.`;
}

function accepted(spec: Spec, { phase, isQuick, commit, next }: Accepted): Result {
  const json = { spec: spec.name, document: phase.document, ...commit.json };
  const fact = `${phase.document} is complete${commit.said}`;
  return isQuick
    ? { text: `${fact}. End your turn; the next phase is handed to you.`, json }
    : {
        text: `${fact} and waits for the user's approval. Tell them what it says in at most ten lines; ${next} approves it and continues. End your turn.`,
        json: { ...json, next },
      };
}
