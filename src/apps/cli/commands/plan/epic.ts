import {
  beginEpic,
  type Epic,
  type EpicChange,
  planAdd,
  planRemove,
} from "../../../../epic/model.ts";
import { EPIC_FILES } from "../../../../layouts/layout.ts";
import { whyNoName } from "../../../../spec/name.ts";
import { renderEpicDocument, replaceSpecTable } from "../../../../epic/document.ts";
import { clean, oneLine } from "../../../../text/template.ts";
import {
  type EpicPlace,
  makeEpicFolder,
  readEpic,
  writeEpic,
  writeEpicDocument,
  writeEpicPointer,
} from "../../../../epic/files.ts";
import { keepOutOfGit } from "../../../../git/exclude.ts";
import { withLock } from "../../../../store/lock.ts";
import { stringOption } from "../../arguments.ts";
import { CliError, type Command, type Context, EXIT, type Input } from "../../command.ts";
import { epicOf, openEpic, sayMend } from "../../../../engine/resolve-epic.ts";
import { openOrBegin } from "../../../../engine/resolve-spec.ts";

const SIZES: readonly string[] = ["S", "M", "L"];
export const EPIC_OPTION = {
  epic: { type: "string", value: "name", summary: "an epic other than the active one" },
} as const;

export const epicNew: Command = {
  name: "epic new",
  summary: "begin an epic: a goal that is too large for one spec",
  args: ["<name>", "<goal…>"],
  group: "agent",
  details:
    "Makes _epics/<name>/ beside the specs, with epic.md and the state, and makes it the active epic. Nothing that is there is overwritten.",
  run(context, input) {
    const [name = "", ...words] = input.args;
    const goal = requireText(words.join(" "), "<goal…>");
    const wrong = whyNoName(name);
    if (wrong !== undefined) throw new CliError(EXIT.usage, wrong.why, wrong.fix);
    const place = makeEpicFolder(openOrBegin(context), name);
    withLock(place.lock, () => {
      refuseExisting(context, place);
      const epic = beginEpic(name, goal);
      writeEpicDocument(place, (old) => (old === undefined ? renderEpicDocument(epic) : undefined));
      writeEpic(place, epic);
    });
    writeEpicPointer(place);
    const visible = keepOutOfGit(place);
    const notes = visible === undefined ? [] : [`Do not commit the pointer: ${visible}.`];
    const path = `${place.basePath}/${EPIC_FILES.document}`;
    return {
      text: [
        `Epic "${name}" is begun and active; its document is ${path}.`,
        `Add each spec with ${context.program} epic add <spec> --goal "…" [--depends a,b] [--size S|M|L].`,
        ...notes,
      ].join("\n"),
      json: { ok: true, epic: name, path: place.basePath, document: path, goal, notes },
    };
  },
};

function refuseExisting(context: Context, place: EpicPlace): void {
  const file = readEpic(place);
  if (file.kind === "absent") return;
  const fix =
    file.kind === "ok"
      ? `${context.program} epic switch ${place.name} makes it the active one`
      : sayMend(context.program, place);
  throw new CliError(EXIT.refused, `there is an epic "${place.name}" already`, fix);
}

export const epicAdd: Command = {
  name: "epic add",
  summary: "add a spec to the epic, with what has to be done before it",
  args: ["<spec>"],
  group: "agent",
  options: {
    goal: { type: "string", value: "text", summary: "what this spec is for, in a sentence" },
    depends: {
      type: "string",
      value: "a,b",
      summary: "specs that have to be done before; they may be added later",
    },
    size: { type: "string", value: SIZES.join("|"), summary: "how large it is" },
    ...EPIC_OPTION,
  },
  details:
    "Refused with exit code 1: a name that is no folder's, one that the epic has already, and dependencies that go in a circle.",
  run(context, input) {
    const [name = ""] = input.args;
    const goal = oneLine(requireText(stringOption(input, "goal") ?? "", "--goal"), 1000);
    const dependencies = (stringOption(input, "depends") ?? "").split(/[\s,]+/).filter(Boolean);
    const size = sizeOf(input);
    const { epic } = change(context, input, (old) =>
      planAdd(old, { name, goal, dependencies, size }),
    );
    const known = new Set(epic.specs.map((spec) => spec.name));
    const missing = dependencies.filter((one) => !known.has(one));
    const notes = missing.map((one) => ` ${one} is not in the epic yet.`);
    const waits = dependencies.length === 0 ? "" : `, after ${dependencies.join(", ")}`;
    return {
      text: `Added ${name} to epic "${epic.name}"${waits}: ${epic.specs.length} ${count(epic)}.${notes.join("")}`,
      json: { ok: true, epic: epic.name, spec: epic.specs.at(-1), total: known.size, missing },
    };
  },
};

export const epicRemove: Command = {
  name: "epic remove",
  summary: "take a spec out of the epic; its files are kept",
  args: ["<spec>"],
  group: "agent",
  options: {
    unlink: { type: "boolean", summary: "take it out of the dependencies of the others too" },
    ...EPIC_OPTION,
  },
  run(context, input) {
    const [name = ""] = input.args;
    const unlink = input.options["unlink"] === true;
    const { epic } = change(context, input, (old) => planRemove(old, name, unlink));
    return {
      text: `Removed ${oneLine(name)} from epic "${epic.name}": ${epic.specs.length} ${count(epic)} left. Files of the spec are kept.`,
      json: { ok: true, epic: epic.name, removed: name, total: epic.specs.length },
    };
  },
};

export const epicSwitch: Command = {
  name: "epic switch",
  summary: "make another epic the active one",
  args: ["<epic>"],
  group: "run",
  run(context, input) {
    const place = openEpic(context, input.args[0]);
    writeEpicPointer(place);
    return {
      text: `Epic "${place.name}" is active; ${context.program} epic status shows where it stands.`,
      json: { ok: true, epic: place.name, path: place.basePath },
    };
  },
};

/** Reads, plans and writes with the lock held; the table in epic.md follows the state. */
function change(
  context: Context,
  input: Input,
  plan: (epic: Epic) => EpicChange,
): { readonly epic: Epic } {
  const place = openEpic(context, stringOption(input, "epic"));
  return withLock(place.lock, () => {
    const planned = plan(epicOf(context, place));
    if (planned.kind === "refused") throw new CliError(EXIT.refused, planned.why, planned.fix);
    const { epic } = planned;
    writeEpic(place, epic);
    writeEpicDocument(place, (text) => (text === undefined ? text : replaceSpecTable(text, epic)));
    return { epic: { ...epic, name: place.name } };
  });
}

function requireText(text: string, name: string): string {
  const said = clean(text).trim();
  if (said === "") throw new CliError(EXIT.usage, `${name} is empty`, "say what it is for");
  return said;
}

function sizeOf(input: Input): string | undefined {
  const size = stringOption(input, "size")?.toUpperCase();
  if (size === undefined || SIZES.includes(size)) return size;
  throw new CliError(EXIT.usage, `--size takes S, M or L, not "${oneLine(size, 20)}"`);
}

const count = ({ specs }: Epic): string => (specs.length === 1 ? "spec" : "specs");
