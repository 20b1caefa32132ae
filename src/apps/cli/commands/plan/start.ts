import type { BranchOption } from "../../../../engine/branch.ts";
import type { GivenText } from "../../../../engine/create-spec.ts";
import { tellIgnored } from "../../../../engine/doctor/settings.ts";
import { readyStep } from "../../../../engine/ready-step.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { commandFor, isAtTerminal, isInClient, waysToBegin } from "../../../../engine/request.ts";
import { resolveOrBeginProject, resolveHome } from "../../../../engine/resolve-spec.ts";
import { startExisting } from "../../../../engine/resume-spec.ts";
import { readGivenText, readStartFacts } from "../../../../engine/start-facts.ts";
import { startSpec } from "../../../../engine/start-spec.ts";
import { specInEpic } from "../../../../epic/standing.ts";
import { firstParagraph } from "../../../../spec/goal.ts";
import { planStart, type StartPlan } from "../../../../spec/interpret-words.ts";
import type { Project } from "../../../../store/project.ts";
import { quotePath } from "../../../../text/quote.ts";
import { capitalize, SHELL_PROGRAM } from "../../../../text/wording.ts";
import { stringOption } from "../../arguments.ts";
import type { Command, Context, Input, Result } from "../../command.ts";
import { nameOf } from "../../named-spec.ts";
import { renderStep } from "../../render-step.ts";
import { readSpecOptions, SPEC_OPTIONS } from "../../spec-options.ts";

const OPTIONS = {
  ...SPEC_OPTIONS,
  "specs-dir": { value: "folder", summary: "one of specs_dirs; by default the first" },
  "allow-amend": {
    summary: "in quick mode: the coordinator may replace a Verify that turns out to be wrong",
  },
  "skip-research": { summary: "start with the second phase" },
  branch: { summary: "work on its own branch; quick mode does so anyway" },
  "no-branch": { summary: "stay on the branch that is checked out" },
  worktree: { summary: "work in its own worktree, next to this one" },
} as const;

export const start: Command = {
  summary: "start a spec from a goal, or continue one",
  args: ["[name]", "[goal…]"],
  options: {
    ...OPTIONS,
    fresh: { summary: "start another one, even if the name exists" },
  },
  details:
    "Without words: continues the active spec, or starts the next one of the epic. A name that exists: continues it.\nA goal, or a file that contains one: starts a new spec, named after the goal unless a name comes first.",
  run: (context, input) => begin(context, input, input.options["fresh"] === true),
};

export const newSpec: Command = {
  summary: "start a new spec from a goal",
  args: ["[name]", "[goal…]"],
  options: OPTIONS,
  run: (context, input) => begin(context, input, true),
};

async function begin(context: Context, input: Input, fresh: boolean): Promise<Result> {
  const project = resolveOrBeginProject(context);
  const plan = planStart(input.args, fresh, readStartFacts(context, project));
  const result = await follow(context, input, project, plan);
  const ignored = tellIgnored(project);
  if (ignored.length === 0) return result;
  const lead = isInClient(context) ? "Tell the user about these settings:" : "Settings:";
  const text = [lead, ...ignored.map((line) => `- ${line}`), "", result.text].join("\n");
  return { ...result, text, json: { ...result.json, ignored } };
}

async function follow(
  context: Context,
  input: Input,
  project: Project,
  plan: StartPlan,
): Promise<Result> {
  const { layout } = project;
  const how = commandFor(context, layout, "start");
  switch (plan.kind) {
    case "go-on": {
      const spec = resolveHome(context, nameOf(input, plan.name));
      const step = startExisting(context, spec, plan.goal, readSpecOptions(input));
      return renderStep(context, "start", await readyStep(context, step));
    }
    case "choose":
      throw new Refusal(
        "usage",
        `several ${layout.unit}s are unfinished: ${plan.names.map(quotePath).join(", ")}`,
        `name one: ${how} <name>`,
      );
    case "ask":
      throw new Refusal(
        "usage",
        `say what you want to build: ${waysToBegin(context, layout, "add rate limiting")}`,
      );
    case "no-file":
      throw new Refusal("missing", `there is no file ${plan.path}`, `${how} <file>`);
    case "from-file": {
      const given = readGivenText(context, project, plan.path);
      const goal = firstParagraph(given.text) ?? plan.path;
      return make(context, input, project, plan.name, goal, given);
    }
    case "new": {
      const known = plan.name === undefined ? undefined : specInEpic(project, plan.name);
      const goal = plan.goal ?? known?.goal ?? plan.name?.replaceAll("-", " ") ?? "";
      if (goal.trim() === "") return follow(context, input, project, { kind: "ask" });
      return make(context, input, project, plan.name, goal);
    }
  }
}

function readBranchOption({ options }: Input): BranchOption {
  const said = (["worktree", "branch", "no-branch"] as const).filter((name) => options[name]);
  if (said.includes("no-branch") && said.length > 1) {
    throw new Refusal("usage", `--${said[0]} and --no-branch contradict each other`);
  }
  return said[0] === "no-branch" ? "none" : said[0];
}

function make(
  context: Context,
  input: Input,
  project: Project,
  name: string | undefined,
  goal: string,
  given?: GivenText,
): Result {
  const { options } = input;
  const { spec, branch, step } = startSpec(context, project, {
    name,
    goal,
    given,
    exact: name !== undefined && options["fresh"] !== true,
    folder: stringOption(input, "specs-dir"),
    options: readSpecOptions(input),
    branch: readBranchOption(input),
    skipFirstPhase: options["skip-research"] === true,
  });
  const { layout, root } = spec.project;
  const created = `${capitalize(layout.unit)} "${spec.name}" created`;
  if (step === undefined) {
    const slash = layout.voice.command("start");
    const next = isAtTerminal(context)
      ? `Next: cd ${root}, and there ${SHELL_PROGRAM} run ${spec.name}, or ${slash} in your client.`
      : `Tell the user to open a session there (cd ${root}) and to type ${slash}. End your turn.`;
    return {
      text: `${created} in the worktree ${root}.\n\n${next}`,
      json: { created: true, spec: spec.name, path: spec.folder, worktree: root },
    };
  }
  const { text, json, ...rest } = renderStep(context, "start", step);
  const notes = branch === undefined ? [] : [branch];
  return {
    text: [
      `${created}${isAtTerminal(context) ? ` in ${spec.basePath}` : ""}.`,
      ...notes,
      text,
    ].join("\n\n"),
    json: { ...json, created: true },
    ...rest,
  };
}
