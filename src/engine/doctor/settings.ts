import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseSettingsFile } from "../../run/settings-file.ts";
import { describeSetting, findSetting } from "../../run/settings-help.ts";
import { readProjectFile } from "../../store/project-file.ts";
import type { Project } from "../../store/project.ts";
import { type FileText, MAX_BYTES, readText } from "../../store/read.ts";
import { shownPath } from "../../store/spec.ts";
import { type Diagnostic, findingsAbout } from "../../text/diagnostic.ts";
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
    findingsAbout("user-settings", path).warning(
      `your own settings are ignored: ${why}`,
      "make it yours, and let nobody else write it: chown and chmod 600",
    ),
  ];
}

const checkProjectFile = (project: Project): Diagnostic[] =>
  checkText(readOwnFile(project), project.layout.settingsFile);

const readOwnFile = (project: Project): FileText =>
  readProjectFile(project, join(project.root, project.layout.settingsFile), MAX_BYTES.settings);

function checkText(file: FileText, target: string): Diagnostic[] {
  if (file.kind === "absent") return [];
  const { warning, error } = findingsAbout("settings", target);
  if (file.kind === "unreadable") return [error(`the settings cannot be read: ${file.why}`)];
  const { state, isEmpty, unknown, misread, unread } = parseSettingsFile(file.text);
  const { info } = findingsAbout("settings-unknown", target);
  return [
    ...misread.map(({ key, said }) => {
      const row = findSetting(key);
      const takes = row === undefined ? "" : describeSetting(row);
      return warning(`"${key}: ${oneLine(said, 60)}" is not understood`, `${key}: ${takes}`);
    }),
    ...unread.map((line) =>
      warning(
        `"${oneLine(line, 60)}" is not a setting`,
        "write it as key: value, at the left margin",
      ),
    ),
    ...(isEmpty && unread.length === 0
      ? [
          warning(
            "the settings have no front matter, so nothing is set",
            "put the settings between two lines ---",
          ),
        ]
      : state === "unclosed"
        ? [
            warning(
              "the front matter never ends, so everything in the file counts",
              "end it with a line ---",
            ),
          ]
        : []),
    ...unknown.map((key) => info(`"${key}" is not a setting of this version`)),
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

const ignore = ({ layout, user }: Project, key: string, said: string, why: string): Diagnostic =>
  findingsAbout("settings-ignored", layout.settingsFile).warning(
    `"${key}: ${said}" is ignored: ${why}`,
    user.path === undefined ? undefined : `if you want it, put it into ${user.path}`,
  );

function checkEnabled({ layout, settings, user }: Project): Diagnostic[] {
  if (settings.enabled) return [];
  const target =
    user.said?.enabled === false ? (user.path ?? layout.settingsFile) : layout.settingsFile;
  const { warning } = findingsAbout("disabled", target);
  return [warning(`${layout.plugin} is disabled here`, "set enabled: true")];
}

function checkSpecsDirs(project: Project): Diagnostic[] {
  if (project.settings.specsDirs.length === 0) return [];
  const { warning } = findingsAbout("specs-dir");
  return project.specsDirs
    .filter((folder) => !existsSync(folder))
    .map((folder) =>
      warning(
        `${shownPath(project, folder)} is in specs_dirs but does not exist`,
        "create it, or remove it from specs_dirs",
      ),
    );
}
