import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { specum } from "../support/editions.ts";
import { IN_SESSION, makePlace, pointerOf, SESSION, startPlace } from "./support.ts";
import { makeFolder } from "./temporary.ts";

const layout = specum;

/** Every kind of text that a report must not carry; its name says where it is. */
const SECRETS = {
  title: "TitleSecret",
  note: "NoteSecret",
  reason: "ReasonSecret",
  progress: "ProgressSecret",
  settings: "SettingsSecret",
};

describe("feedback", () => {
  const specs = layout.specsDirs[0];
  const tasks = `- [ ] 1.1 ${SECRETS.title}\n- [ ] 1.2 Second\n`;
  const begin = () =>
    startPlace(layout, {
      [`${specs}/demo/tasks.md`]: tasks,
      [`${specs}/demo/.progress.md`]: `${SECRETS.progress}\n`,
      [`${specs}/other/tasks.md`]: tasks,
      [layout.settingsFile]: `---\n${SECRETS.settings}: ${SECRETS.settings}\nspecs_dirs: [${specs}, gone-${SECRETS.settings}]\n---\n`,
    });

  it("reports versions and counts, and nothing from files", () => {
    const place = begin();
    place.run(["fail", "1.1", "--reason", SECRETS.reason]);
    place.run(["await-approval", "--reason", SECRETS.note]);
    const { code, out, err } = place.run(["feedback", "It", "stops too early"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(
      /^Nothing was sent\. Paste what follows at .+:\n\n## What happened\n\nIt stops too early\n/,
    );
    expect(out).toContain(
      `- ${layout.plugin} ${manifest.version}, node ${process.versions.node}, `,
    );
    expect(out).toContain(`- layout: ${layout.id}`);
    expect(out).toMatch(/^- doctor: \d+ ok, \d+ info, 1 warning, 0 errors \(specs-dir × 1\)$/m);
    expect(out).toContain("- waiting for your approval, phase execution");
    expect(out).toContain("- 0 of 2 tasks done, 0 proven");
    expect(out).toContain("other specs: 1");
    expect(out).toMatch(/^ {2}- \d{4}-\S+Z failed 1\.1$/m);
    for (const secret of [...Object.values(SECRETS), "demo", "other/", place.root, SESSION])
      expect(out).not.toContain(secret);
    expect(out).not.toMatch(/[\w.-]+\/[\w.-]+\.(?:md|json)/);
  });

  it("names the spec if asked to, and says the same in JSON", () => {
    const place = begin();
    expect(place.run(["feedback", "--with-names"]).out).toContain("- name: demo\n");
    const answer = place.json(["feedback", "Oh"]);
    expect(answer).toMatchObject({
      code: 0,
      text: "Oh",
      layout: layout.id,
      version: manifest.version,
      spec: { standing: "running", phase: "execution", tasks: 2, done: 0 },
      report: expect.stringContaining("Oh") as string,
    });
    expect(answer["spec"]).not.toHaveProperty("name");
  });

  it("shows nothing that someone else wrote into the journal", () => {
    const place = begin();
    const path = join(place.folder, layout.journalFile);
    const last = JSON.parse(
      readFileSync(path, "utf8").trim().split("\n").at(-1) as string,
    ) as object;
    const odd = { ...last, at: "AtSecret", event: "Event Secret", task: "TaskSecret" };
    const before = place.run(["feedback"]).out;
    appendFileSync(path, `${JSON.stringify(odd)}\n`);
    const told = (text: string): string => text.replace(/^- doctor: .*$/m, "");
    expect(told(place.run(["feedback"]).out)).toBe(told(before));
    // Where the run is not known, there is no other journal than this one.
    const { out } = place.run(["feedback"], { env: { HOME: makeFolder() } });
    expect(out).toMatch(/^ {2}- \? \?$/m);
    expect(out).not.toMatch(/Secret/);
  });

  it("does not report a phase that is not ours", () => {
    const place = makePlace(layout, {
      [`${specs}/demo/${layout.stateFile}`]: '{"phase":"PhaseSecret"}',
    });
    const { out } = place.run(["feedback"]);
    expect(out).toContain("from elsewhere, phase unknown");
    expect(out).not.toContain("PhaseSecret");
  });

  it("works if state or pointer are broken, which is when it is needed", () => {
    const place = makePlace(layout, { [`${specs}/demo/${layout.stateFile}`]: "{" });
    expect(place.run(["feedback"]).out).toContain("- corrupt\n");
    const lost = makePlace(layout, { [pointerOf(layout)]: "../NameSecret\n" });
    const { code, out } = lost.run(["feedback"]);
    expect(code).toBe(0);
    expect(out).toContain("No active spec.");
    expect(out).toContain("(pointer × 1)");
    expect(out).not.toContain("NameSecret");
  });
});

it("needs no project, and asks for what is missing", () => {
  const folder = makeFolder();
  const { code, out } = makePlace(specum).run(["feedback"], { cwd: folder });
  expect(code).toBe(0);
  expect(out).toContain("(What did you do, ");
  expect(out).toContain("- layout: no specs found");
  expect(out).toMatch(/No active spec\.\n$/);
  expect(out).not.toContain(folder);
  expect(readdirSync(folder)).toEqual([]);
});

it("takes what the user says as it is, without terminal escapes", () => {
  const place = makePlace(specum);
  const { out } = place.run(["feedback", "line\nand \u001b[31m`code`"]);
  expect(out).toContain("line\nand [31m`code`\n");
  place.hook("expansion", { prompt: `/ralph-specum:feedback It's "not" $(touch x) done\n` });
  const typed = place.run(["feedback", "--typed", SESSION], IN_SESSION);
  expect(typed.out).toContain("It's not $(touch x) done\n");
  expect(readdirSync(place.root)).toEqual(["specs"]);
});
