import { statSync } from "node:fs";
import { resolve } from "node:path";
import { firstParagraph } from "../../../../spec/goal.ts";
import { type Known, planStart, type Start } from "../../../../spec/interpret-start.ts";
import { quotePath } from "../../../../text/quote.ts";
import { isBelow } from "../../../../store/containment.ts";
import { isFinished } from "../../../../store/spec-files.ts";
import { readActiveEpic, specInEpic } from "../../../../epic/standing.ts";
import type { Project } from "../../../../store/project.ts";
import { readProjectFile } from "../../../../store/project-file.ts";
import { MAX_BYTES, readText } from "../../../../store/read.ts";
import { listSpecs, type Spec } from "../../../../store/spec.ts";
import { findNamedSpec } from "../../../../store/speckit.ts";
import { beginSpec } from "../../../../engine/create-and-begin.ts";
import {
  CliError,
  type Command,
  type Context,
  EXIT,
  type Input,
  type Result,
} from "../../command.ts";
import type { Given } from "../../../../engine/create-spec.ts";
import { goOn } from "../../../../engine/resume-spec.ts";
import {
  findCurrentSpec,
  inWords,
  openOrBegin,
  openSpec,
} from "../../../../engine/resolve-spec.ts";
import { WISH_OPTIONS } from "../../spec-options.ts";

const OPTIONS = {
  ...WISH_OPTIONS,
  "specs-dir": {
    type: "string",
    value: "folder",
    summary: "one of specs_dirs; by default the first",
  },
  "skip-research": { type: "boolean", summary: "begin with the second phase" },
  branch: { type: "boolean", summary: "work on a branch of its own" },
  worktree: { type: "boolean", summary: "work in a work tree of its own, beside this one" },
} as const;

export const start: Command = {
  name: "start",
  summary: "begin a spec from a goal, or go on with one",
  args: ["[name]", "[goal…]"],
  group: "plan",
  options: {
    ...OPTIONS,
    fresh: { type: "boolean", summary: "begin another one, even if the name exists" },
  },
  details:
    "Without words: goes on with the active spec, or begins the next one of the epic. A name that exists: goes on with it.\nA goal, or a file that holds one: begins a new spec; the name is made from the goal unless it is given first.",
  run(context, input) {
    const project = openOrBegin(context);
    const plan = planStart(input.args, input.options["fresh"] === true, knownOf(context, project));
    return follow(context, input, project, plan);
  },
};

export const newSpec: Command = {
  name: "new",
  summary: "begin a new spec from a goal",
  args: ["[name]", "[goal…]"],
  group: "plan",
  options: OPTIONS,
  run(context, input) {
    const project = openOrBegin(context);
    return follow(context, input, project, planStart(input.args, true, knownOf(context, project)));
  },
};

function knownOf(context: Context, project: Project): Known {
  const specs = listSpecs(project);
  const active = findCurrentSpec(context, project);
  return {
    isSpec: (word) => ["ok", "ambiguous"].includes(findNamedSpec(project, word).kind),
    active: active.kind === "ok" && !isFinished(active.spec) ? active.spec.basePath : undefined,
    unfinished: specs.filter((spec) => !isFinished(spec)).map((spec) => wordFor(spec, specs)),
    epicNext: readActiveEpic(project)?.planned.next?.name,
    isFile: (word) =>
      /\.\w+$/.test(word) &&
      statSync(resolve(context.cwd, word), { throwIfNoEntry: false })?.isFile() === true,
  };
}

/** Its name, unless another one has that too. */
const wordFor = (spec: Spec, all: readonly Spec[]): string =>
  all.some(({ name, folder }) => name === spec.name && folder !== spec.folder)
    ? spec.basePath
    : spec.name;

function follow(context: Context, input: Input, project: Project, plan: Start): Result {
  const { layout } = project;
  const how = inWords(context, layout, "start");
  switch (plan.kind) {
    case "go-on":
      return goOn(context, input, openSpec(context, input, plan.name), plan.goal);
    case "choose":
      throw new CliError(
        EXIT.usage,
        `several ${layout.unit}s are unfinished: ${plan.names.map(quotePath).join(", ")}`,
        `name one: ${how} <name>`,
      );
    case "ask":
      throw new CliError(EXIT.usage, "what do you want to build?", `${how} "<goal in a sentence>"`);
    case "no-file":
      throw new CliError(EXIT.missing, `there is no file ${plan.path}`, `${how} <file>`);
    case "from-file": {
      const given = readGiven(context, project, plan.path);
      const goal = firstParagraph(given.text) ?? plan.path;
      return beginSpec(context, input, project, { name: plan.name, goal, given });
    }
    case "new": {
      const known = plan.name === undefined ? undefined : specInEpic(project, plan.name);
      const goal = plan.goal ?? known?.goal ?? plan.name?.replaceAll("-", " ") ?? "";
      if (goal.trim() === "") return follow(context, input, project, { kind: "ask" });
      return beginSpec(context, input, project, { name: plan.name, goal, given: undefined });
    }
  }
}

/** The user may name any file, but what a project passes off as its own is not to lie elsewhere. */
function readGiven({ cwd }: Context, project: Project, path: string): Given {
  const place = resolve(cwd, path);
  const file = isBelow(place, project.root)
    ? readProjectFile(project, place, MAX_BYTES.document)
    : readText(place, MAX_BYTES.document);
  if (file.kind !== "ok") {
    const why = file.kind === "unreadable" ? `, ${file.why}` : "";
    throw new CliError(EXIT.broken, `${path} cannot be read${why}`);
  }
  if (file.text.trim() === "" || file.text.includes("\0")) {
    const what = file.text.trim() === "" ? "is empty" : "is no text";
    throw new CliError(EXIT.usage, `${path} ${what}`, "write into it what you want to build");
  }
  return file;
}
