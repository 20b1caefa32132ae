import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { widthOf } from "../../src/apps/cli/columns.ts";
import { EXIT } from "../../src/apps/cli/command.ts";
import type { Edition } from "../../src/layouts/layout.ts";
import { speckit, specum } from "../support/editions.ts";
import { openRepository } from "../support/repository.ts";
import { runChild } from "./child.ts";
import { IDLE, report, tickByHand } from "./claims.ts";
import { expectRefusal, makePlace, type Options, type Place, startPlace } from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";
import { hasTerminal, showIn } from "./terminal.ts";

const REQUIREMENTS = `### US-1: Export an invoice

- AC-1.1: The file is there

| ID | Requirement |
|---|---|
| FR-1 | Writes the file that somebody has asked for in so many words |

- SC-1: Quick
`;
const SPEC = `### User Story 1 - Export an invoice (Priority: P1)

- **FR-001**: System MUST write
- **SC-001**: Quick
`;

const TASKS = `- [ ] 1.1 [US1] Write it
  - **Verify**: \`ls / | grep .\`
  - _Requirements: AC-1.1, FR-1_
- [ ] 1.2 Look at it
`;

const documents = (layout: Edition, tasks = TASKS): Record<string, string> => ({
  [`${layout.specsDirs[0]}/demo/tasks.md`]: tasks.replace(/^ .*_Requirements.*\n/m, (line) =>
    layout === specum ? line : "",
  ),
  [`${layout.specsDirs[0]}/demo/${layout.requirements}`]: layout === specum ? REQUIREMENTS : SPEC,
});

const codesOf = (place: Place, options?: Options): unknown[] =>
  (place.json(["trace", "--check"], options)["problems"] as { code: string }[]).map(
    ({ code }) => code,
  );

describe.each([specum, speckit])("$plugin trace", (layout) => {
  it("goes from a requirement to its task, commit and evidence, before, during and after a run", () => {
    const place = makePlace(layout, documents(layout));
    const git = openRepository(place.root, place.env["HOME"] as string);
    git.git("init", "-q", "-b", "main");
    git.commit();
    expect(place.json(["trace", "--check"])).toMatchObject({ code: 0, ok: true, problems: [] });
    place.run(["implement", "demo"]);
    const commit = git.commit({ "invoice.txt": "" });
    expect(report(place)).toMatchObject({ ok: true });
    const answer = place.json(["trace"]);
    expect(answer).toMatchObject({
      ok: true,
      spec: "demo",
      document: `./${layout.specsDirs[0]}/demo/${layout.requirements}`,
      tasks: [
        {
          id: "1.1",
          class: "checked",
          weakness: "its Verify passed before the work",
          commit,
          evidence: [{ command: "ls / | grep .", outcome: "passed" }],
        },
        { id: "1.2", class: "open", requirements: [] },
      ],
    });
    expect((answer["requirements"] as object[])[0]).toEqual({
      id: "US-1",
      written: layout === specum ? "US-1" : "User Story 1",
      title: "Export an invoice",
      line: 1,
      required: true,
      standing: "checked",
      tasks: ["1.1"],
      checks: [],
    });

    report(place, IDLE, "1.2");
    place.stop();
    const after = place.json(["trace", "--check"]);
    expect(after).toMatchObject({
      code: 0,
      counts: { tasks: { done: 2, checked: 1, reported: 1 } },
    });
    // The journal in the project is a copy for people.
    rmSync(join(place.folder, layout.journalFile));
    expect(place.json(["trace", "--check"])).toEqual(after);
    // A checkout in CI has no journal, and its machine has no record of the run.
    const elsewhere = { env: { HOME: makeFolder() } };
    expect(place.json(["trace", "--check"], elsewhere)).toEqual(after);
    for (const name of [".progress.md", "receipt.json"]) rmSync(join(place.folder, name));
    expect(codesOf(place, elsewhere)).toEqual(["no-evidence", "no-evidence"]);
  });

  it("works without a requirements document, and says so", () => {
    const place = startPlace(layout);
    const name = layout.requirements;
    expect(place.run(["trace"]).out).toContain("no requirements document, tasks only");
    writeFileSync(join(place.folder, name), "We want it all.\n");
    const { code, out } = place.run(["trace", "--check"]);
    expect(out).toMatch(
      new RegExp(`^demo .*/${name} defines no requirement by an id, tasks only; 0 of 3 tasks done`),
    );
    expect(code).toBe(0);
  });
});

it("trace --check is not passed by a receipt that someone wrote by hand", () => {
  const place = makePlace(specum, documents(specum, TASKS.replaceAll("[ ]", "[x]")));
  const git = openRepository(place.root, place.env["HOME"] as string);
  git.git("init", "-q", "-b", "main");
  const first = git.commit();
  const commit = git.commit().slice(0, 9);
  const write = (command: string, sha: string): void =>
    git.write({
      "specs/demo/.progress.md": `## Receipt\n\n| task | done | attempts | verify | result | commit | time |\n|---|---|---:|---|---|---|---:|\n| 1.1 | yes | 1 | \`${command}\` | passed | ${sha} | 1 s |\n| 1.2 | yes | 1 |  | no Verify |  | 1 s |\n`,
    });
  const check = (cwd = place.root) => place.run(["trace", "--all", "--check"], { cwd });
  write("true", commit);
  expect(check().out).toContain("is about `true`, and its Verify is `ls / | grep .`");
  write("ls / \\| grep .", "123456789");
  expect(check().out).toContain("the commit of its receipt, 123456789, is not in this repository");
  expect(check().code).toBe(EXIT.refused);
  write("ls / \\| grep .", commit);
  expect(check()).toMatchObject({ code: 0, err: "" });
  expect(check().out).not.toContain("could not be looked for");

  write("ls / \\| grep .", first.slice(0, 9));
  git.commit();
  const shallow = join(makeFolder(), "shallow");
  git.git("clone", "-q", "--depth=1", `file://${place.root}`, shallow);
  const { code, out } = check(shallow);
  expect(out).toContain("the commit of 1.1 could not be looked for: this is a shallow clone");
  expect(code).toBe(0);
});

it("shows a [RED] task as what it is, not as evidence", () => {
  const tasks =
    "- [ ] 1.1 [RED] A test\n  - **Verify**: `false` fails\n  - _Requirements: FR-1_\n- [ ] 1.2 Write it\n  - _Requirements: FR-1_\n";
  const place = makePlace(specum, documents(specum, tasks));
  place.run(["implement", "demo"]);
  expect(report(place)).toMatchObject({ ok: true });
  const { out } = place.run(["trace"]);
  expect(out).toMatch(/- 1\.1 \[RED\] A test .*: the test still has to pass/);
  expect(out).not.toContain("passed false");
  expect(place.slash(["accept", "1.2"])).toMatchObject({ code: 0 });
  expect(place.run(["trace"]).out).toMatch(
    /1\.1 \[RED\] A test .*: the test failed before the work/,
  );
});

describe("trace", () => {
  it("is a table: whole in a pipe, cut to fit a terminal", () => {
    const tasks = `${TASKS}- [ ] 1.3 [VERIFY] Check it\n`;
    const place = startPlace(specum, documents(specum, tasks));
    report(place);
    const { out } = place.run(["trace"]);
    const squeezed = out.replace(/ {3,}/g, "  ").split("\n");
    expect(squeezed).toEqual([
      "demo ./specs/demo",
      "requirement  task  commit  evidence",
      "~ US-1 Export an invoice  ~ 1.1 Write it  checked: passed ls / | grep .",
      "~ AC-1.1 The file is there  ~ 1.1 Write it  checked: passed ls / | grep .",
      expect.stringMatching(
        /^~ FR-1 Writes the file that somebody has asked for in so[^…]+ {2}~ 1\.1/,
      ),
      "- SC-1 Quick  - no task names it",
      "(no requirement)  · 1.2 Look at it  open",
      "(checks)  · 1.3 Check it  open",
      "1.1 checked: without git, no commit says what was checked",
      "3 of 3 requirements have a task, 0 proven, 3 checked or accepted; 1 of 3 tasks done: 1 checked; no problems",
      "",
    ]);
    const columns = out
      .split("\n")
      .slice(1, 5)
      .map((line) => /~ 1\.1|task/.exec(line)?.index);
    expect(new Set(columns.filter((at) => at !== undefined)).size, "aligned").toBe(1);
  });

  // A terminal is made by `script`.
  it.runIf(hasTerminal).each([40, 80, 100])("fits a terminal of %i columns", (columns) => {
    const place = startPlace(specum, documents(specum, TASKS));
    report(place);
    const lines = showIn(columns, place, ["trace"]).split("\n");
    expect(lines.join(" ")).toContain("~ US-1 Export an invoice");
    for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
  });

  it("--check names each problem with file, line and fix, and exits with 1", () => {
    const tasks = `- [ ] 1.1 Write it\n  - _Requirements: AC-1.1, FR-7_\n- [ ] 1.2 \u001b[31mLook\n`;
    const place = startPlace(specum, documents(specum, tasks));
    tickByHand(place, "1.2");
    const { code, out, err } = place.run(["trace", "--check"]);
    expect(out.split("\n")).toEqual([
      "./specs/demo/requirements.md:7: error uncovered-requirement FR-1 (Writes the file that somebody has asked for in so…) has no task.",
      "    → Reference it in the task that meets it (_Requirements: FR-1_), add a task for it, or move it out of scope.",
      "./specs/demo/tasks.md:2: error unknown-requirement 1.1 refers to FR-7, which is not defined.",
      "    → Correct the id, or define the requirement.",
      "./specs/demo/tasks.md:3: error no-evidence 1.2 is ticked, but nothing proves it.",
      "    → `smart-ralph trace --baseline` accepts what is there today; to prove it, clear its box and run it again.",
      expect.stringMatching(/^demo .*; 3 problems$/) as string,
      "",
    ]);
    expect(err).toBe("");
    expect(code).toBe(EXIT.refused);
    expect(place.json(["trace", "--check"])).toMatchObject({ code: 1, ok: false });
    // Looking is not checking.
    expect(place.json(["trace"])).toMatchObject({ code: 0, ok: true });
    expect(place.run(["trace"]).out).not.toContain("\u001b");
  });

  it("--all checks every spec, and fails none that has no tasks yet", () => {
    const place = makePlace(specum, {
      ...documents(specum),
      "specs/planned/requirements.md": REQUIREMENTS,
      "specs/empty/tasks.md": "# Tasks\n",
    });
    const { code, out } = place.run(["trace", "--all", "--check"]);
    expect(out.split("\n")).toEqual([
      expect.stringMatching(/^demo .*no problems$/) as string,
      "empty ./specs/empty: it has no tasks yet",
      "planned ./specs/planned: it has no tasks yet",
      "",
    ]);
    expect(code).toBe(0);
    fillFolder(place.root, { "specs/other/tasks.md": "- [x] 1.1 By hand\n" });
    const answer = place.json(["trace", "--all", "--check"]);
    expect(answer).toMatchObject({ code: 1, ok: false });
    expect((answer["specs"] as { spec: string }[]).map(({ spec }) => spec)).toEqual([
      "demo",
      "empty",
      "other",
      "planned",
    ]);
    expectRefusal(place.run(["trace", "demo", "--all"]), EXIT.usage, "--all means every spec");
  });

  it("--all of a project with both layouts takes each spec once", () => {
    const root = makeFolder();
    fillFolder(root, {
      "specs/a/tasks.md": "- [ ] 1.1 a\n",
      ".specify/specs/b/tasks.md": "- [ ] T001 b\n",
    });
    const program = join(import.meta.dirname, "../../bin/smart-ralph.cjs");
    const { out } = runChild(process.execPath, [program, "trace", "--all", "--json"], {
      cwd: root,
      env: { HOME: root, PATH: process.env["PATH"] ?? "" },
      input: "",
    });
    const { specs } = JSON.parse(out) as { specs: { path: string }[] };
    expect(specs.map(({ path }) => path)).toEqual(["./specs/a", "./.specify/specs/b"]);
  });

  it("says what it cannot read or find", () => {
    const place = makePlace(specum, { "specs/bare/requirements.md": REQUIREMENTS });
    expectRefusal(place.run(["trace", "none"]), EXIT.missing, /there is no spec "none"/);
    expectRefusal(place.run(["trace", "bare"]), EXIT.missing, /tasks\.md does not exist/);
    fillFolder(place.root, { "specs/demo/requirements.md/": "" });
    expectRefusal(place.run(["trace", "demo"]), EXIT.broken, /requirements\.md cannot be read/);
    rmSync(join(place.folder, "requirements.md"), { recursive: true });
    const outside = fillFolder(makeFolder(), { "secret.md": "### US-1: secret\n" });
    symlinkSync(join(outside, "secret.md"), join(place.folder, "requirements.md"));
    expectRefusal(place.run(["trace", "demo"]), EXIT.broken, /link out of the project/);
    rmSync(join(place.root, "specs"), { recursive: true });
    fillFolder(place.root, { "specs/": "" });
    expectRefusal(
      place.run(["trace", "--all"]),
      EXIT.missing,
      /there are no specs yet; begin with smart-ralph run "/,
    );
  });

  it("reads what a Spec Kit project calls spec.md, wherever it keeps its features", () => {
    const place = makePlace(speckit, {
      "specs/001-a/spec.md": SPEC,
      "specs/001-a/tasks.md": "## Phase 3: User Story 1 - Export\n\n- [ ] T001 Do it\n",
    });
    expect(place.json(["trace", "001-a", "--check"])).toMatchObject({
      code: 0,
      counts: { requirements: 3, required: 1, covered: 1 },
    });
    const { out } = place.run(["trace", "001-a"]);
    expect(out).toContain("\n- FR-001 System MUST write ");
    expect(out).toContain("\n· US1 Export an invoice");
  });
});
