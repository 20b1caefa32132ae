import { addToEpic, changeEpic, createEpic } from "../../../../engine/change-epic.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { resolveEpic } from "../../../../engine/resolve-epic.ts";
import { writeEpicPointer } from "../../../../epic/files.ts";
import { planRemove } from "../../../../epic/model.ts";
import { EPIC_FILES } from "../../../../layouts/layout.ts";
import { clean, oneLine } from "../../../../text/template.ts";
import { counted } from "../../../../text/wording.ts";
import { stringOption } from "../../arguments.ts";
import type { Command, Input } from "../../command.ts";

const SIZES: readonly string[] = ["S", "M", "L"];
export const EPIC_OPTION = {
  epic: { value: "name", summary: "an epic other than the active one" },
} as const;

export const epicNew: Command = {
  summary: "create an epic: a goal that is too large for one spec",
  args: ["<name>", "<goal…>"],
  details:
    "Creates _epics/<name>/ next to the specs, with epic.md and the state, and makes it the active epic. Never overwrites anything.",
  run(context, input) {
    const [name = "", ...words] = input.args;
    const goal = requireText(words.join(" "), "<goal…>");
    const { place, notes } = createEpic(context, name, goal);
    const path = `${place.basePath}/${EPIC_FILES.document}`;
    return {
      text: [
        `Epic "${name}" is created and active; its document is ${path}.`,
        `Add each spec with ${context.program} epic add <spec> --goal "…" [--depends a,b] [--size S|M|L].`,
        ...notes,
      ].join("\n"),
      json: { epic: name, path: place.basePath, document: path, goal, notes },
    };
  },
};

export const epicAdd: Command = {
  summary: "add a spec to the epic, with what has to be done before it",
  args: ["<spec>"],
  options: {
    goal: { value: "text", summary: "what this spec is for, in a sentence" },
    depends: {
      value: "a,b",
      summary: "specs that have to be done before; they may be added later",
    },
    size: { value: SIZES.join("|"), summary: "how large it is" },
    ...EPIC_OPTION,
  },
  details:
    "Refused with exit code 1: a name that cannot be a folder's, one that the epic already has, and dependencies that form a cycle.",
  run(context, input) {
    const [name = ""] = input.args;
    const goal = oneLine(requireText(stringOption(input, "goal") ?? "", "--goal"), 1000);
    const dependencies = (stringOption(input, "depends") ?? "").split(/[\s,]+/).filter(Boolean);
    const size = sizeOf(input);
    const wish = { name, goal, dependencies, size };
    const epic = addToEpic(context, stringOption(input, "epic"), wish);
    const known = new Set(epic.specs.map((spec) => spec.name));
    const missing = dependencies.filter((one) => !known.has(one));
    const notes = missing.map((one) => ` ${one} is not in the epic yet.`);
    const waits = dependencies.length === 0 ? "" : `, after ${dependencies.join(", ")}`;
    return {
      text: `Added ${name} to epic "${epic.name}"${waits}: ${counted(epic.specs.length, "spec")}.${notes.join("")}`,
      json: { epic: epic.name, spec: epic.specs.at(-1), total: known.size, missing },
    };
  },
};

export const epicRemove: Command = {
  summary: "take a spec out of the epic; its files are kept",
  args: ["<spec>"],
  options: {
    unlink: { summary: "take it out of the dependencies of the others too" },
    ...EPIC_OPTION,
  },
  run(context, input) {
    const [name = ""] = input.args;
    const unlink = input.options["unlink"] === true;
    const epic = changeEpic(context, stringOption(input, "epic"), (old) =>
      planRemove(old, name, unlink),
    );
    return {
      text: `Removed ${oneLine(name)} from epic "${epic.name}": ${counted(epic.specs.length, "spec")} left. Files of the spec are kept.`,
      json: { epic: epic.name, removed: name, total: epic.specs.length },
    };
  },
};

export const epicSwitch: Command = {
  summary: "make another epic the active one",
  args: ["<epic>"],
  run(context, input) {
    const place = resolveEpic(context, input.args[0]);
    writeEpicPointer(place);
    return {
      text: `Epic "${place.name}" is active; ${context.program} epic status shows its progress.`,
      json: { epic: place.name, path: place.basePath },
    };
  },
};

function requireText(text: string, name: string): string {
  const said = clean(text).trim();
  if (said === "") throw new Refusal("usage", `${name} is empty`, "say what it is for");
  return said;
}

function sizeOf(input: Input): string | undefined {
  const size = stringOption(input, "size")?.toUpperCase();
  if (size === undefined || SIZES.includes(size)) return size;
  throw new Refusal("usage", `--size takes S, M or L, not "${oneLine(size, 20)}"`);
}
