import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layouts, speckit, specum } from "../support/editions.ts";
import { REPOSITORY } from "./child.ts";
import { epics, makeShop, textOf } from "./epics.ts";
import { IN_SESSION, makePlace, openPlace, type Place, startPlace, userFileOf } from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

/** How the editors of Windows save a text. */
interface Form {
  readonly mark: string;
  readonly eol: string;
}
const FORMS: [what: string, form: Form][] = [
  ["Windows line ends", { mark: "", eol: "\r\n" }],
  ["Windows line ends and a byte order mark", { mark: "\uFEFF", eol: "\r\n" }],
  ["a byte order mark", { mark: "\uFEFF", eol: "\n" }],
];

const saved = (text: string, { mark, eol }: Form): string =>
  mark + text.replace(/^\uFEFF/, "").replace(/\r?\n/g, eol);

/** Saves every file of the project again, as if somebody had them all open. */
function saveAll(place: Place, form: Form): void {
  for (const name of readdirSync(place.root, { recursive: true, encoding: "utf8" })) {
    const path = join(place.root, name);
    if (/(^|\/)(\.git|node_modules)(\/|$)/.test(name) || !/\.\w|\.current/.test(name)) continue;
    try {
      writeFileSync(path, saved(readFileSync(path, "utf8"), form));
    } catch {
      // A folder.
    }
  }
}

const expectForm = (text: string, form: Form): void => expect(text).toBe(saved(text, form));

const run = (place: Place, ...args: string[]): string => {
  const isTyped = ["implement", "resume", "start"].includes(args[0] ?? "");
  const { code, out, err } = isTyped ? place.slash(args) : place.run(args, IN_SESSION);
  expect({ code, err }, args.join(" ")).toEqual({ code: 0, err: "" });
  return out;
};

const LIST = `# Tasks

## Phase 1: Make it

- [ ] 1.1 First
  - **Do**:
    1. the first thing
  - **Files**: \`a.txt\`
  - **Verify**:
    \`\`\`sh
    echo one
    test -d .
    \`\`\`
- [ ] 1.2 Second
  - **Verify**: \`test -f b.txt\`
- [ ] 1.3 [VERIFY] Check both
`;

describe.each(FORMS)("files with %s", (_, form) => {
  it.each(layouts)("a run of $id goes to its end, and its files stay so", (layout) => {
    const notes = "# Progress\n\nmine\n";
    const [specs] = layout.specsDirs;
    const place = makePlace(layout, {
      [`${specs}/demo/tasks.md`]: LIST,
      [`${specs}/demo/.progress.md`]: notes,
      [layout.settingsFile]: "---\nenabled: true\n---\n",
      [userFileOf(layout)]: "---\nstall_limit: 9\n---\n",
    });
    run(place, "implement", "demo", "--recovery-mode");
    saveAll(place, form);
    const { decision, reason } = place.stop();
    expect(decision).toBe("block");
    expect(reason).toContain("(Task 1/3, Iter 2)");
    expect(reason).not.toMatch(/[\uFEFF\r]/);

    run(place, "done", "1.1", "--report", "TASK_COMPLETE");
    expect(place.tasks()).toBe(saved(LIST.replace("[ ] 1.1", "[x] 1.1"), form));
    expect(JSON.parse(run(place, "evidence", "1.1", "--json"))).toMatchObject({
      tasks: [{ evidence: [{ command: "echo one\ntest -d .", outcome: "passed" }] }],
    });

    saveAll(place, form);
    place.run(["fail", "1.2", "--reason", "no file"], IN_SESSION);
    const fixed = place.tasks();
    const fix = /\[ \] (\S+) \[FIX 1\.2\]/.exec(fixed)?.[1] as string;
    expect(fix).toBeTruthy();
    expectForm(fixed, form);
    fillFolder(place.root, { "b.txt": "" });
    saveAll(place, form);
    for (const id of [fix, "1.2"]) run(place, "done", id, "--report", "TASK_COMPLETE");
    run(place, "done", "1.3", "--report", "VERIFICATION_PASS");
    expectForm(place.tasks(), form);
    saveAll(place, form);

    expect(place.stop().systemMessage).toContain("; 3 checked");
    expect(place.state()).toBeUndefined();
    const progress = readFileSync(join(place.folder, ".progress.md"), "utf8");
    expect(progress.startsWith(saved(notes, form))).toBe(true);
    expect(progress).toContain("## Receipt");
    expectForm(progress, form);
  });

  it("settings and pointer count", () => {
    const place = startPlace(specum);
    fillFolder(place.root, { [specum.settingsFile]: saved("---\nenabled: false\n---\n", form) });
    expect(place.stop().systemMessage).toContain("switches ralph-specum off");
    fillFolder(place.root, {
      [specum.settingsFile]: saved("---\nspecs_dirs:\n  - docs\n  - specs\n---\n", form),
      "docs/.current-spec": saved("./specs/demo\n", form),
    });
    expect(place.slash(["resume"])).toMatchObject({ code: 0, err: "" });
    expect(place.stop().decision).toBe("block");
  });

  it("documents are as complete as they are otherwise", () => {
    const place = makePlace(specum, {});
    run(place, "implement", "demo");
    for (const name of ["research", "requirements", "design", "tasks"]) {
      cpSync(join(REPOSITORY, `scripts/record/story/${name}.md`), join(place.folder, `${name}.md`));
    }
    const looks = [["check"], ["trace"], ["trace", "--json"], ["tasks", "lint"], ["tasks", "list"]];
    const plain = looks.map((args) => place.run(args));
    saveAll(place, form);
    expect(looks.map((args) => place.run(args))).toEqual(plain);
    expect(plain.map(({ code }) => code)).toEqual(looks.map(() => 0));
  });

  it("what is missing in a document is found on the same lines", () => {
    const place = makePlace(specum, {
      "specs/demo/research.md": "# Research\n\n## Executive Summary\n\n<what was found>\n\nTODO\n",
    });
    const plain = place.run(["check", "research.md"]);
    expect(plain.code).toBe(1);
    saveAll(place, form);
    expect(place.run(["check", "research.md"])).toEqual(plain);
  });

  it("a phase ends with its document", () => {
    const home = makeFolder();
    const root = join(home, "project");
    mkdirSync(join(root, ".git"), { recursive: true });
    const place = openPlace(specum, root, join(root, "specs/greet"), home);
    expect(place.run(["start", "greet", "Say hello"]).code).toBe(0);
    cpSync(join(REPOSITORY, "scripts/record/story/research.md"), join(place.folder, "research.md"));
    saveAll(place, form);
    expect(place.run(["submit"])).toMatchObject({ code: 0, err: "" });
    expect(place.run(["requirements"]).out).toContain("Goal: Say hello\n");
  });

  it("tasks are added and ordered, and the list stays so", () => {
    const place = startPlace(specum, { "specs/demo/tasks.md": LIST });
    saveAll(place, form);
    run(place, "add", "Another one", "--after", "1.1");
    run(place, "tasks", "prioritize", "--write");
    expectForm(place.tasks(), form);
    expect(place.tasks()).toContain("Another one");
  });

  it.each([specum, speckit])("an epic of $id is read, and its document stays so", (layout) => {
    const place = makeShop(layout);
    const plain = run(place, "epic", "status");
    saveAll(place, form);
    expect(run(place, "epic", "status")).toBe(plain);
    expect(JSON.parse(run(place, "epic", "next", "--json"))).toMatchObject({ spec: "stock" });
    run(place, "epic", "add", "pay", "--goal", "Take money", "--depends", "cart");
    expect(run(place, "epic", "status")).toContain("waiting for cart: Take money");
    expectForm(textOf(place), form);
    expect(readdirSync(epics(place, "shop"))).toHaveLength(2);
  });
});
