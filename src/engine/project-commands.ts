import { existsSync } from "node:fs";
import { join } from "node:path";
import { isAllowed } from "../run/allowed-commands.ts";
import { readProjectFile } from "../store/project-file.ts";
import type { Project } from "../store/project.ts";
import { MAX_BYTES } from "../store/read.ts";
import { readTasks } from "../store/spec-files.ts";
import { fieldOf } from "../tasks/fields.ts";
import { parseVerify } from "../tasks/verify/verify.ts";
import { isObject } from "../text/schema.ts";
import type { Request } from "./request.ts";
import { findUnnamedSpec } from "./resolve-spec.ts";

/** What executors do with git, whatever the project is written in. */
const GIT = ["git add", "git commit"];

/** Scripts that check work, by their usual names. */
const SCRIPTS = ["test", "build", "lint", "typecheck", "type-check", "check", "format"];

const MANAGERS: readonly (readonly [file: string, program: string])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
];

const TOOLS: readonly (readonly [file: string, commands: readonly string[]])[] = [
  ["Cargo.toml", ["cargo test", "cargo build", "cargo check", "cargo clippy", "cargo fmt"]],
  ["go.mod", ["go test", "go build", "go vet", "gofmt"]],
  ["pyproject.toml", ["pytest", "python -m pytest"]],
  ["Makefile", ["make test", "make check", "make build"]],
];

/** The commands that work on this project usually needs, as far as its files show. */
export function listProjectCommands(project: Project): readonly string[] {
  const has = (name: string): boolean => existsSync(join(project.root, name));
  const found = TOOLS.filter(([file]) => has(file)).flatMap(([, commands]) => commands);
  return [...GIT, ...listScripts(project, has), ...found];
}

/** What the open tasks of the active spec name as their Verify, and where. Executors run it too, not only we do. */
export function listVerifyCommands(
  request: Request,
  project: Project,
): { verify: readonly string[]; tasksFile: string } {
  const found = findUnnamedSpec(request, project);
  const file = found.kind === "ok" ? readTasks(found.spec) : undefined;
  if (found.kind !== "ok" || file?.kind !== "ok") return { verify: [], tasksFile: "" };
  const { list } = file;
  const verify = list.tasks
    .filter(({ checked }) => !checked)
    .flatMap((task) => parseVerify(fieldOf(list, task, "verify") ?? "").checks)
    .map(({ command }) => command)
    .filter((command) => isAllowed(command, project.settings.verifyAllow));
  return { verify, tasksFile: `${found.spec.basePath}/tasks.md` };
}

function listScripts(project: Project, has: (name: string) => boolean): readonly string[] {
  const file = readProjectFile(project, join(project.root, "package.json"), MAX_BYTES.state);
  if (file.kind !== "ok") return [];
  const scripts = scriptsIn(file.text);
  const manager = MANAGERS.find(([name]) => has(name))?.[1] ?? "npm";
  return SCRIPTS.filter((name) => typeof scripts[name] === "string").flatMap((name) =>
    name === "test" ? [`${manager} test`, `${manager} run test`] : [`${manager} run ${name}`],
  );
}

function scriptsIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    const scripts = isObject(value) ? value["scripts"] : undefined;
    return isObject(scripts) ? scripts : {};
  } catch {
    return {};
  }
}
