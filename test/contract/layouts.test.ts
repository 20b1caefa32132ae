import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hosts } from "../../src/hosts/all.ts";
import { layouts } from "../../src/layouts/all.ts";
import { EPIC_FILES, type Layout } from "../../src/layouts/layout.ts";
import { documentsOf, renderTemplate } from "../../src/prompts/documents.ts";
import { parseDelta } from "../../src/spec/delta.ts";
import { intentOf } from "../../src/spec/intent.ts";
import { parseRequirements } from "../../src/spec/requirements.ts";
import { isShortPlan } from "../../src/spec/small-goal.ts";
import { findNamedSpec } from "../../src/store/current-spec.ts";
import { findProject, findProjectWithSpecs, openProject } from "../../src/store/project.ts";
import { findActiveSpec, listSpecs, pointerText, specAt } from "../../src/store/spec.ts";
import { makeFolder } from "../program/temporary.ts";

const FACTS = {
  name: "login",
  goal: "let people log in",
  date: "2026-01-01",
  intent: intentOf(undefined),
  granularity: "coarse",
  small: false,
  path: "./specs/login",
} as const;

/** What every layout has to bring, whatever it is called: a new one passes this before anything else is written. */
describe.each(layouts)("layout $id", (layout) => {
  const [host] = hosts;
  const edition = host.edition(layout);

  it("has its own names", () => {
    for (const key of ["id", "plugin", "pointer", "stateFile", "journalFile", "lockFile"] as const)
      expect(layouts.filter((one) => one[key] === layout[key])).toHaveLength(1);
  });

  it("leads to tasks.md, phase by phase, each with a document, an agent and a template", () => {
    expect(layout.phases.at(-1)?.document).toBe("tasks.md");
    const documents = layout.phases.map(({ document }) => document);
    expect(new Set(documents).size).toBe(documents.length);
    expect(documents).toContain(layout.requirements);
    expect(documents).not.toContain(layout.given);
    for (const { document, agent } of layout.phases) {
      expect(agent).toMatch(/^[a-z-]+$/);
      expect(documentsOf(edition)).toContain(document);
      expect(renderTemplate(edition, document, FACTS)).toMatch(/^# /m);
    }
  });

  it("leads there on a short way too: its first document holds the design", () => {
    const [plan, ...rest] = layout.shortPhases;
    const document = plan?.document ?? "";
    expect(rest.at(-1)).toEqual(layout.phases.at(-1));
    expect(layout.shortPhases.length).toBeLessThan(layout.phases.length);
    expect(layout.shortPhases.map((phase) => phase.document)).toContain(layout.requirements);
    // Commands and checks know phases by their names.
    for (const phase of layout.shortPhases)
      expect(layout.phases.find(({ name }) => name === phase.name)?.document).toBe(phase.document);
    const template = renderTemplate(edition, document, { ...FACTS, small: true });
    expect(isShortPlan(template)).toBe(true);
    expect(isShortPlan(renderTemplate(edition, document, FACTS))).toBe(false);
    const asked = renderTemplate(edition, layout.requirements, { ...FACTS, small: true });
    const requirements = layout.requirements.endsWith("/")
      ? parseDelta(asked, "login", "specs/login/spec.md")
      : parseRequirements(asked);
    expect(requirements.length).toBeGreaterThan(0);
    const list = renderTemplate(edition, "tasks.md", { ...FACTS, small: true });
    const short = new Set(layout.shortPhases.map((phase) => phase.document));
    for (const phase of layout.phases)
      if (!short.has(phase.document)) expect(list).not.toContain(phase.document);
  });

  it("keeps what it writes apart from specs, epics and hidden folders", () => {
    for (const name of [layout.stateFile, layout.journalFile, layout.lockFile, layout.pointer])
      expect(name).toMatch(/^\.[a-z-]+/);
    expect(layout.specsDirs).not.toContain(EPIC_FILES.folder);
    for (const folder of layout.specsDirs) expect(folder).not.toMatch(/^\/|\.\.|\\/);
  });

  it("names branches that git accepts", () => {
    const name = layout.numbered ? "001-login" : "login";
    expect(layout.branchFor(name)).toMatch(/^[a-z0-9/-]+$/);
    expect(layout.branchFor(name)).toContain(name);
  });

  it("is found by its pointer, lists its specs, and the pointer leads back to one", () => {
    const root = makeFolder();
    const folder = join(root, layout.specsDirs[0], nameIn(layout));
    mkdirSync(folder, { recursive: true });
    expect(findProjectWithSpecs(edition, [folder])?.root).toBe(root);
    const project = openProject(edition, root);
    const spec = specAt(project, folder);
    expect(listSpecs(project).map(({ name }) => name)).toEqual([spec.name]);
    writeFileSync(project.pointer, `${pointerText(spec)}\n`);
    expect(findProject(edition, [folder])?.root).toBe(root);
    expect(findActiveSpec(project)).toMatchObject({ kind: "ok", spec: { folder } });
    expect(findNamedSpec(project, "login")).toMatchObject({ kind: "ok", spec: { folder } });
  });

  it("has a state in the spec's folder, and settings in the project", () => {
    const project = openProject(edition, makeFolder());
    const spec = specAt(project, join(project.specsDirs[0], nameIn(layout)));
    for (const path of [spec.state, spec.journal, spec.lock])
      expect(path.startsWith(spec.folder)).toBe(true);
    expect(edition.settingsFile).not.toMatch(/^\/|\.\.\//);
  });
});

const nameIn = ({ numbered }: Layout): string => (numbered ? "001-login" : "login");
