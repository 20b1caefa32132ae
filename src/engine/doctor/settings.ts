import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseSettingsFile } from "../../run/settings-file.ts";
import { describeSetting, findSetting } from "../../run/settings-help.ts";
import { readProjectFile } from "../../store/project-file.ts";
import type { Project } from "../../store/project.ts";
import { type FileText, MAX_BYTES, readText } from "../../store/read.ts";
import { shownPath } from "../../store/spec.ts";
import type { Diagnostic } from "../../text/diagnostic.ts";
import { oneLine } from "../../text/template.ts";

/** What is ignored in both settings files, a line each, for those who have not asked. */
export const tellIgnored = (project: Project): string[] =>
  checkFiles(project).map(({ message, target = "" }) => oneLine(`${target}: ${message}`, 300));

const checkFiles = (project: Project): Diagnostic[] => [
  ...checkUserFile(project),
  ...checkProjectFile(project),
  ...checkIgnored(project),
  ...checkRunSettings(project),
];

/** Both settings files, what is ignored in them, and where it would count. */
export const checkSettings = (project: Project): Diagnostic[] => [
  ...checkFiles(project),
  ...checkEnabled(project),
  ...checkSpecsDirs(project),
];

function checkUserFile({ user: { path, why } }: Project): Diagnostic[] {
  if (path === undefined) return [];
  if (why === undefined) return checkText(readText(path, MAX_BYTES.settings), path);
  return [
    {
      severity: "warning",
      code: "user-settings",
      message: `your own settings are ignored: ${why}`,
      target: path,
      fix: "make it yours, and let nobody else write it: chown and chmod 600",
    },
  ];
}

const checkProjectFile = (project: Project): Diagnostic[] =>
  checkText(readOwnFile(project), project.layout.settingsFile);

const readOwnFile = (project: Project): FileText =>
  readProjectFile(project, join(project.root, project.layout.settingsFile), MAX_BYTES.settings);

function checkText(file: FileText, target: string): Diagnostic[] {
  if (file.kind === "absent") return [];
  if (file.kind === "unreadable")
    return [
      {
        severity: "error",
        code: "settings",
        message: `the settings cannot be read: ${file.why}`,
        target,
      },
    ];
  const { state, isEmpty, unknown, misread, unread } = parseSettingsFile(file.text);
  const warn = (message: string, fix: string): Diagnostic => ({
    severity: "warning",
    code: "settings",
    message,
    target,
    fix,
  });
  const found = [
    ...misread.map(({ key, said }) => {
      const row = findSetting(key);
      const takes = row === undefined ? "" : describeSetting(row);
      return warn(`"${key}: ${oneLine(said, 60)}" is not understood`, `${key}: ${takes}`);
    }),
    ...unread.map((line) =>
      warn(`"${oneLine(line, 60)}" is not a setting`, "write it as key: value, at the left margin"),
    ),
  ];
  if (isEmpty && unread.length === 0)
    found.push(
      warn(
        "the settings have no front matter, so nothing is set",
        "put the settings between two lines ---",
      ),
    );
  else if (state === "unclosed")
    found.push(
      warn(
        "the front matter never ends, so everything in the file counts",
        "end it with a line ---",
      ),
    );
  return [
    ...found,
    ...unknown.map((key): Diagnostic => ({
      severity: "info",
      code: "settings-unknown",
      message: `"${key}" is not a setting of this version`,
      target,
    })),
  ];
}

const checkIgnored = (project: Project): Diagnostic[] =>
  project.ignored.map(({ key, said }) =>
    ignore(project, key, said, "project settings can only be stricter"),
  );

/** They name programs, addresses and bounds: a clone must not bring them. */
function checkRunSettings(project: Project): Diagnostic[] {
  const file = readOwnFile(project);
  if (file.kind !== "ok") return [];
  return parseSettingsFile(file.text).runKeys.map(({ key, said }) =>
    ignore(project, key, oneLine(said, 60), "settings of run count only in your own file"),
  );
}

const ignore = ({ layout, user }: Project, key: string, said: string, why: string): Diagnostic => ({
  severity: "warning",
  code: "settings-ignored",
  message: `"${key}: ${said}" is ignored: ${why}`,
  target: layout.settingsFile,
  ...(user.path === undefined ? {} : { fix: `if you want it, put it into ${user.path}` }),
});

function checkEnabled({ layout, settings, user }: Project): Diagnostic[] {
  if (settings.enabled) return [];
  const target =
    user.said?.enabled === false ? (user.path ?? layout.settingsFile) : layout.settingsFile;
  return [
    {
      severity: "warning",
      code: "disabled",
      message: `${layout.plugin} is disabled here`,
      target,
      fix: "set enabled: true",
    },
  ];
}

function checkSpecsDirs(project: Project): Diagnostic[] {
  if (project.settings.specsDirs.length === 0) return [];
  return project.specsDirs
    .filter((folder) => !existsSync(folder))
    .map((folder) => ({
      severity: "warning",
      code: "specs-dir",
      message: `${shownPath(project, folder)} is in specs_dirs but does not exist`,
      fix: "create it, or remove it from specs_dirs",
    }));
}
