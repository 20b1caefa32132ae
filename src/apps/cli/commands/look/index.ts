import { CATEGORIES, type Category, isCategory } from "../../../../codemap/classify.ts";
import type { Scope } from "../../../../codemap/code-index.ts";
import { indexPage } from "../../../../codemap/index-files.ts";
import type { Effort } from "../../../../codemap/scan-files.ts";
import { folderInProject, resolveIndexProject } from "../../../../engine/index-scope.ts";
import { makeIndex, planIndexFiles, writeIndexFiles } from "../../../../engine/make-index.ts";
import { recordExternal } from "../../../../engine/record-external.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { planCover } from "../../../../run/claim/file-boundary.ts";
import type { Project } from "../../../../store/project.ts";
import { shownPath } from "../../../../store/spec.ts";
import { oneLine } from "../../../../text/template.ts";
import { print } from "../../../stdio/print.ts";
import { stringOption, stringOptions } from "../../arguments.ts";
import type { Command, Context, Input } from "../../command.ts";
import { renderMade, reportOf } from "../../index-report.ts";
import { paint } from "../../paint.ts";
import { makeTicker } from "../../ticker.ts";

export const index: Command = {
  summary: "map the code and the earlier specs, so that research starts from facts",
  writes: true,
  options: {
    path: { value: "folder", summary: "look only below this folder" },
    type: { value: "a,b", summary: `only these: ${CATEGORIES.join(", ")}` },
    exclude: {
      value: "folder|pattern",
      multiple: true,
      summary: "leave these out; may be repeated",
    },
    changed: { summary: "do not read files whose size and time are unchanged" },
    force: { summary: "scan every file again, and write in any case" },
    quick: { summary: "paths and counts only: no file is read" },
    "dry-run": { summary: "say what would change, and write nothing" },
    external: { value: "url", summary: "record a source outside the project; nothing is fetched" },
    note: { value: "text", summary: "with --external: what it is good for" },
  },
  details: `Writes .index/index.md (a map to read) and .index/index-state.json (the same for programs) below the folder for
specs. Everything else in .index stays as it is. What git ignores, generated code, data and lock files are left out. With
--path or --type the rest of an earlier index is kept.`,
  run(context, input) {
    const project = resolveIndexProject(context);
    const url = stringOption(input, "external");
    const isDry = input.options["dry-run"] === true;
    if (url !== undefined) {
      const note = oneLine(stringOption(input, "note") ?? "", 1000);
      const { verdict, ...facts } = recordExternal(context, project, { url, note, isDry });
      return { text: `${facts.url} ${verdict} ${facts.path}; nothing was fetched`, json: facts };
    }
    if (input.options["note"] !== undefined)
      throw new Refusal("usage", "--note goes with --external", "give the address too");
    const effort = effortOf(input);
    const scope = scopeOf(context, project, input);
    const made = makeIndex(project, scope, effort, context.now().at, (total) =>
      makeTicker("indexing", total, process.stderr.isTTY === true, (text) => print(2, text)),
    );
    const files = planIndexFiles(project, made.index, effort === "force");
    if (!isDry) writeIndexFiles(project, files);
    const page = shownPath(project, indexPage(project));
    const written = files.map(({ path }) => shownPath(project, path));
    const result = isDry ? { dryRun: true, wouldWrite: written } : { written };
    return {
      text: renderMade(made, page, written, isDry, paint(context.colour)),
      json: { index: page, ...result, ...reportOf(made) },
    };
  },
};

function effortOf({ options }: Input): Effort {
  const given = (["force", "changed", "quick"] as const).filter((name) => options[name] === true);
  const [first, second] = given;
  if (second === undefined) return first ?? "normal";
  throw new Refusal("usage", `--${first} and --${second} contradict each other`, "give one");
}

function scopeOf(context: Context, project: Project, input: Input): Scope {
  const path = stringOption(input, "path");
  return {
    folder: path === undefined ? "" : folderInProject(context, project, path),
    types: typesOf(stringOption(input, "type")),
    isExcluded: planCover(stringOptions(input, "exclude").flatMap(splitPatterns)),
  };
}

/** Commas separate patterns, except inside braces. No argument can contain the character we split at. */
const splitPatterns = (text: string): string[] =>
  text
    .replace(/[^{}]+\}?/g, (part) => (part.endsWith("}") ? part : part.replaceAll(",", "\0")))
    .split("\0");

function typesOf(text: string | undefined): Category[] {
  const names = (text ?? "").split(",").map((name) => name.trim().toLowerCase());
  return names
    .filter((name) => name !== "")
    .map((name) => {
      const category = [name, `${name}s`].find(isCategory);
      if (category !== undefined) return category;
      throw new Refusal(
        "usage",
        `--type: there is no "${name}"`,
        `there are: ${CATEGORIES.join(", ")}`,
      );
    });
}
