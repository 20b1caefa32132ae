import { statSync } from "node:fs";
import { resolve } from "node:path";
import { firstParagraph } from "../../core/goal.ts";
import { INTENTS, isGranularity } from "../../core/intent.ts";
import { type Phase, slash } from "../../core/layout.ts";
import { planStart, type Start } from "../../core/start.ts";
import type { Raw } from "../../core/state.ts";
import { readActiveEpic, specInEpic, writeEpicStatus } from "../../store/epic-standing.ts";
import type { Project } from "../../store/project.ts";
import { MAX_BYTES, readText } from "../../store/read.ts";
import { findActiveSpec, listSpecs } from "../../store/spec.ts";
import { stringOption } from "../arguments.ts";
import { CliError, type Command, type Context, EXIT, type Input, type Result } from "../command.ts";
import { branchWish, checkOut, openWorktree } from "../branch.ts";
import { createSpec, freeName, type Wanted } from "../create.ts";
import { goOn, isFinished } from "../go-on.ts";
import { inWords, openOrBegin, openSpec } from "../open.ts";
import { beginPhase } from "../phase.ts";

const OPTIONS = {
  quick: { type: "boolean", summary: "all phases without questions and approvals, then execution" },
  "tasks-size": { type: "string", value: "fine|coarse", summary: "how finely tasks are cut" },
  intent: {
    type: "string",
    value: INTENTS.map(({ id }) => id).join("|"),
    summary: "what kind of work it is; by default told from the goal",
  },
  "commit-spec": { type: "boolean", summary: "commit each document when it is finished" },
  "no-commit-spec": { type: "boolean", summary: "leave the documents uncommitted" },
  "specs-dir": {
    type: "string",
    value: "folder",
    summary: "one of specs_dirs; by default the first",
  },
  "skip-research": { type: "boolean", summary: "begin with the second phase" },
  branch: { type: "boolean", summary: "work on a branch of its own" },
  worktree: { type: "boolean", summary: "work in a work tree of its own, beside this one" },
  session: { type: "string", value: "id", summary: "the client session; by default this one" },
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
    const plan = planStart(input.args, true, { ...knownOf(context, project), names: [] });
    return follow(context, input, project, plan);
  },
};

function knownOf(context: Context, project: Project) {
  const specs = listSpecs(project);
  const active = findActiveSpec(project);
  const open = specs.filter((spec) => !isFinished(spec));
  return {
    names: specs.map((spec) => spec.name),
    active: active.kind === "ok" && !isFinished(active.spec) ? active.spec.basePath : undefined,
    unfinished: open.map((spec) => spec.name),
    epicNext: readActiveEpic(project)?.planned.next?.name,
    isFile: (word: string) =>
      /\.\w+$/.test(word) &&
      statSync(resolve(context.cwd, word), { throwIfNoEntry: false })?.isFile() === true,
  };
}

function follow(context: Context, input: Input, project: Project, plan: Start): Result {
  switch (plan.kind) {
    case "go-on":
      return goOn(context, input, openSpec(context, input, plan.name));
    case "choose":
      throw new CliError(
        EXIT.usage,
        `several ${project.layout.unit}s are unfinished: ${plan.names.join(", ")}`,
        `name one: ${inWords(context, project.layout, "start")} <name>`,
      );
    case "ask":
      throw new CliError(
        EXIT.usage,
        "what do you want to build?",
        `${inWords(context, project.layout, "start")} "<goal in a sentence>"`,
      );
    case "from-file": {
      const given = readGiven(context, plan.path);
      const goal = firstParagraph(given) ?? plan.path;
      return begin(context, input, project, { name: plan.name, goal, given });
    }
    case "new": {
      const known = plan.name === undefined ? undefined : specInEpic(project, plan.name);
      const goal = plan.goal ?? known?.goal ?? plan.name?.replaceAll("-", " ");
      return begin(context, input, project, {
        name: plan.name,
        goal: goal ?? "",
        given: undefined,
      });
    }
  }
}

interface Wish {
  readonly name: string | undefined;
  readonly goal: string;
  readonly given: string | undefined;
}

function begin(context: Context, input: Input, here: Project, wish: Wish): Result {
  if (wish.goal.trim() === "") return follow(context, input, here, { kind: "ask" });
  const wishes = wishesOf(input, here);
  const wanted = {
    ...wish,
    exact: wish.name !== undefined && input.options["fresh"] !== true,
    folder: stringOption(input, "specs-dir"),
    intent: INTENTS.find(({ id }) => id === stringOption(input, "intent"))?.id,
  };
  const branch = branchWish(input, here);
  if (branch === "worktree") return inWorktree(context, input, here, wanted, wishes);
  const { spec, state } = createSpec(context, here, wanted);
  const notes = branch === "branch" ? [`On branch ${checkOut(here, spec.name)}.`] : [];
  const result = beginPhase(context, input, spec, firstPhase(input, here), {
    ...state,
    ...wishes,
    ...joinEpic(context, here, spec.name),
  });
  return {
    text: [`${upper(here.layout.unit)} "${spec.name}" made.`, ...notes, result.text].join("\n\n"),
    json: { ...result.json, created: true },
  };
}

/** The session cannot move there: the spec waits for one that begins in the new folder. */
function inWorktree(
  context: Context,
  input: Input,
  here: Project,
  wanted: Wanted,
  wishes: Raw,
): Result {
  const name = freeName(here, wanted);
  const there = openWorktree(here, name);
  const { spec, state } = createSpec(context, there, { ...wanted, name });
  const unbound = { ...context, env: { ...context.env, CLAUDE_CODE_SESSION_ID: undefined } };
  const { session: _, ...options } = input.options;
  const more = { ...state, ...wishes, ...joinEpic(context, here, spec.name) };
  beginPhase(unbound, { ...input, options }, spec, firstPhase(input, there), more);
  const command = slash(there.layout, "start");
  return {
    text: `${upper(there.layout.unit)} "${spec.name}" made in the work tree ${there.root}.\n\nTell the user to open a session there (cd ${there.root}) and to type ${command}. End your turn.`,
    json: { ok: true, created: true, spec: spec.name, path: spec.folder, worktree: there.root },
  };
}

function firstPhase(input: Input, { layout }: Project): Phase {
  const [first, second] = layout.phases;
  return (input.options["skip-research"] === true ? second : first) as Phase;
}

function joinEpic(context: Context, project: Project, name: string): Raw {
  const epic = specInEpic(project, name)?.epic;
  if (epic === undefined) return {};
  writeEpicStatus(project, name, "in_progress", context.now());
  return { epicName: epic.name };
}

function wishesOf(input: Input, { settings }: Project): Raw {
  const { options } = input;
  const size = options["tasks-size"] ?? settings.granularity;
  if (!isGranularity(size)) {
    throw new CliError(EXIT.usage, `--tasks-size takes fine or coarse, not "${String(size)}"`);
  }
  const intent = options["intent"];
  if (intent !== undefined && !INTENTS.some(({ id }) => id === intent)) {
    const known = INTENTS.map(({ id }) => id).join(", ");
    throw new CliError(EXIT.usage, `--intent takes one of ${known}, not "${String(intent)}"`);
  }
  return {
    quickMode: options["quick"] === true || settings.quick,
    granularity: size,
    commitSpec:
      options["commit-spec"] === true ||
      (options["no-commit-spec"] !== true && settings.commitSpec),
  };
}

function readGiven(context: Context, path: string): string {
  const file = readText(resolve(context.cwd, path), MAX_BYTES.document);
  if (file.kind === "ok") return file.text;
  throw new CliError(
    EXIT.broken,
    `${path} cannot be read${file.kind === "unreadable" ? `, ${file.why}` : ""}`,
  );
}

const upper = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
