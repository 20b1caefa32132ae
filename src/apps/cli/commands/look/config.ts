import { requireShell } from "../../../../engine/authority.ts";
import {
  planSetting,
  readConfiguration,
  type SettingInForce,
  writeSetting,
} from "../../../../engine/configure.ts";
import { tellIgnored } from "../../../../engine/doctor/settings.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { resolveOrBeginProject } from "../../../../engine/resolve-spec.ts";
import { describeRule } from "../../../../run/settings-help.ts";
import type { Project } from "../../../../store/project.ts";
import { parseFrontMatter } from "../../../../text/front-matter.ts";
import { suggest } from "../../../../text/suggest.ts";
import { SHELL_PROGRAM } from "../../../../text/wording.ts";
import { shorten } from "../../columns.ts";
import type { Command, Context, Result } from "../../command.ts";
import { paint } from "../../paint.ts";

export const config: Command = {
  summary: "show the settings and where they come from, or set one of yours",
  args: ["[name]", "[value…]"],
  writes: true,
  options: { unset: { summary: "remove it from your file, so that the default counts" } },
  details:
    "Without words: every setting. With a name: all about one. With a value: writes it to your own settings file, which only you can have done.\nThe items of a list are words of their own: config run_env NPM_TOKEN CI. A value that begins with a dash comes after --.",
  run(context, input) {
    const project = resolveOrBeginProject(context);
    const rows = readConfiguration(project);
    const [name, ...words] = input.args;
    const isUnset = input.options["unset"] === true;
    if (isUnset && (name === undefined || words.length > 0))
      throw new Refusal("usage", "--unset takes the name of a setting, and no value");
    if (name === undefined) return showAll(context, project, rows);
    const row = findRow(rows, name.toLowerCase());
    if (words.length === 0 && !isUnset) return showOne(row);
    return change(context, project, row, isUnset ? undefined : words);
  },
};

function findRow(rows: readonly SettingInForce[], name: string): SettingInForce {
  const row = rows.find((one) => one.name === name);
  if (row !== undefined) return row;
  const names = rows.map((one) => one.name);
  const meant = suggest(name, names) ?? names.find((one) => one.endsWith(`_${name}`));
  throw new Refusal(
    "usage",
    `there is no setting "${name}"`,
    meant === undefined ? `${SHELL_PROGRAM} config lists them` : `did you mean ${meant}?`,
  );
}

const FROM = { default: "default", user: "yours", project: "the project's" } as const;

function showAll(context: Context, project: Project, rows: readonly SettingInForce[]): Result {
  const { bold, dim, warn } = paint(context.colour);
  const cut = (text: string, indent: number): string =>
    shorten(text, (context.width ?? Infinity) - indent);
  const ignored = tellIgnored(project);
  const groups = [...new Set(rows.map(({ group }) => group))].map((group) => [
    "",
    bold(group),
    ...rows
      .filter((row) => row.group === group)
      .flatMap((row) => {
        const from = row.said === "" ? "not set" : `${row.said} (${FROM[row.from]})`;
        const line = cut(`${row.name}: ${from}`, 2);
        return [`  ${row.from === "default" ? line : warn(line)}`, `    ${dim(cut(row.help, 4))}`];
      }),
  ]);
  const text = [
    `yours: ${project.user.path ?? "nothing says where"}`,
    `the project's: ${project.layout.settingsFile}`,
    ...ignored,
    ...groups.flat(),
    "",
    `${SHELL_PROGRAM} config <name> says more; config <name> <value> sets it in your file.`,
  ].join("\n");
  return { text, json: { settings: rows.map(describe), ignored } };
}

function showOne(row: SettingInForce): Result {
  const { name, said, from, path, help, byDefault, kind, option } = row;
  const text = [
    `${name}: ${said || "not set"}`,
    `  ${help}`,
    `  from: ${path ?? FROM[from]}`,
    `  default: ${byDefault || "not set"}`,
    `  takes: ${kind.takes}`,
    `  in a project's file: ${describeRule(row)}`,
    ...(option === undefined ? [] : [`  for one run: ${SHELL_PROGRAM} run --${option}`]),
  ].join("\n");
  return { text, json: describe(row) };
}

const describe = (row: SettingInForce): object => ({
  name: row.name,
  value: row.said || null,
  from: row.from,
  path: row.path ?? null,
  default: row.byDefault || null,
  group: row.group,
  help: row.help,
  takes: row.kind.takes,
  choices: row.kind.choices ?? null,
  inProject: describeRule(row),
  option: row.option === undefined ? null : `--${row.option}`,
});

function change(
  context: Context,
  project: Project,
  { name, kind }: SettingInForce,
  words: readonly string[] | undefined,
): Result {
  requireShell(context, "config");
  const said = kind.isList === true ? words?.flatMap(itemsOf) : words && [words.join(" ")];
  const plan = planSetting(project, { name, kind }, said);
  writeSetting(plan);
  const { path, line = `no ${name}`, text } = plan;
  const now = findRow(readConfiguration(resolveOrBeginProject(context)), name);
  const stays = `In this project it is ${now.said}, as ${now.path} says.`;
  return {
    text: [
      text === undefined ? `${path} says ${line} already.` : `${path} says now: ${line}`,
      ...(now.from === "project" ? [stays] : []),
    ].join("\n"),
    json: { path, written: text !== undefined, value: now.said || null },
  };
}

/** A word may be a whole list, as in the file. */
const itemsOf = (word: string): readonly string[] =>
  word.startsWith("[") ? (parseFrontMatter(`---\nx: ${word}`).values.get("x") ?? []) : [word];
