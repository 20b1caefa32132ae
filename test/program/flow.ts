import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Edition, Phase } from "../../src/layouts/layout.ts";
import { renderTemplate } from "../../src/prompts/documents.ts";
import { intentOf } from "../../src/spec/intent.ts";
import { GIT_ENV, openRepository, type Repository } from "../support/repository.ts";
import { PATH, type Ran } from "./child.ts";
import { type Answer, IN_SESSION, openPlace, type Place } from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

export const GOAL = "Count requests and refuse too many";

/** A project in which specs are written, from the first phase on. */
export interface Flow extends Place {
  /** As the user does it in a client. */
  readonly type: (...args: string[]) => Ran;
  /** The same, of which the prompt is wanted. */
  readonly prompt: (...args: string[]) => string;
  readonly typeJson: (...args: string[]) => Answer;
  /** As an agent does it, on its own. */
  readonly call: (...args: string[]) => Ran;
  /** Writes a document of the spec, whole unless a text is given. */
  readonly write: (document: string, text?: string) => void;
  readonly read: (name: string) => string;
  /** Another spec of the same project, by the name of its folder, and the folder that it is in. */
  readonly at: (name: string, specs?: string) => Flow;
  readonly git: Repository;
}

export const nameIn = (layout: Edition, name = "rate-limit"): string =>
  layout.id === "speckit" ? `001-${name}` : name;

/** A project without specs; `name` is what its first one will be called. */
export function makeFlow(
  layout: Edition,
  files: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): Flow {
  const home = makeFolder();
  const root = join(home, "project");
  mkdirSync(root);
  fillFolder(root, files);
  return openFlow(layout, root, nameIn(layout), home, env);
}

/** The same inside a repository. */
export function makeGitFlow(
  layout: Edition,
  files: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = GIT_ENV,
): Flow {
  const flow = makeFlow(layout, files, env);
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd: flow.root, env: { PATH } });
  flow.git.commit({ "code.ts": "export {};\n" }, "begin");
  return flow;
}

export function openFlow(
  layout: Edition,
  root: string,
  name: string,
  home: string,
  env: Readonly<Record<string, string>> = {},
  specs: string = layout.specsDirs[0],
): Flow {
  const place = openPlace(layout, root, join(root, specs, name), home, env);
  const type: Flow["type"] = (...args) => place.slash(args);
  return {
    ...place,
    type,
    prompt(...args) {
      const { code, out, err } = type(...args);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      return out;
    },
    typeJson: (...args) => place.slashJson(args),
    call: (...args) => place.run(args, IN_SESSION),
    write(document, text = written(layout, document)) {
      fillFolder(place.folder, { [fileOf(document)]: text });
      if (document === layout.requirements) tickChecklist(layout, place.folder);
    },
    read: (file) => readFileSync(join(place.folder, file), "utf8"),
    at: (other, folder = specs) => openFlow(layout, root, other, home, env, folder),
    git: openRepository(root, home),
  };
}

/** As the agent does that wrote the requirements. */
function tickChecklist({ checklists }: Edition, folder: string): void {
  const path = join(folder, checklists?.folder ?? "", checklists?.own ?? "");
  if (checklists === undefined || !existsSync(path)) return;
  writeFileSync(path, readFileSync(path, "utf8").replaceAll("- [ ]", "- [x]"));
}

/** A flow with a spec in its first phase. */
export function startFlow(layout: Edition, flow: Flow = makeFlow(layout), ...more: string[]): Flow {
  flow.prompt("start", "rate-limit", GOAL, ...more);
  expect(existsSync(flow.folder)).toBe(true);
  return flow;
}

/** Brings a spec into a phase, all documents before it written. */
export function enterPhase(flow: Flow, name: string): Phase {
  const { phases } = flow.layout;
  const at = phases.findIndex((phase) => phase.name === name);
  for (const { document } of phases.slice(0, at)) flow.write(document);
  flow.prompt(name, nameIn(flow.layout));
  return phases[at] as Phase;
}

/** A document may be a folder. */
export const fileOf = (document: string): string =>
  document.endsWith("/") ? `${document}limits/spec.md` : document;

const DELTA = `# Spec Delta

## ADDED Requirements

### Requirement: US-1 Too many

The system SHALL refuse one request too many.

#### Scenario: AC-1.1 An eleventh request

- **WHEN** a key makes its eleventh request
- **THEN** the status is 429

### Requirement: FR-1 Count

The system SHALL count requests.

#### Scenario: A request

- **WHEN** a request comes in
- **THEN** it is counted
`;

const REQUIREMENTS = `### US-1: Too many

- AC-1.1: an eleventh request → 429

- **FR-001**: System MUST count requests
`;

export const TASK = `- [ ] 1.1 Count
  - **Verify**: \`true\`
  - _Requirements: FR-1, AC-1.1, US-1_
`;

/** A document that is complete: all sections of its template, each with something in it. */
export function written(layout: Edition, document: string, small = false): string {
  const known = { name: "", path: "", goal: "", date: "", intent: intentOf(undefined) };
  const template = renderTemplate(layout, document, { ...known, granularity: "fine", small });
  if (document.endsWith("/")) return DELTA;
  if (document === "tasks.md") return `# Tasks\n\n## Phase 1: All of it\n\n${TASK}`;
  const titles = template.match(/^## .*$/gm) ?? [];
  const sections = titles
    .filter((title) => !title.includes("optional"))
    .map((title) => {
      const isAsked =
        document === layout.requirements && /^## (?:Functional Req|Req|Acc)/.test(title);
      return `${title}\n\n${isAsked ? REQUIREMENTS : "Said in a sentence."}\n`;
    });
  return `# ${document}\n\n${sections.join("\n")}`;
}
