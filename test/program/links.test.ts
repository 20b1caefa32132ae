import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { GOAL, makeFlow, makeGitFlow, startFlow } from "./flow.ts";
import { expectRefusal, makePlace, type Place, pointerOf, startPlace } from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

const layout = specum;

const SECRET = "BEGIN PRIVATE KEY";

/** A folder outside every project, with a file that nobody may see. */
const makeOutside = (): string => fillFolder(makeFolder(), { secret: `${SECRET}\n` });

/** Everything that is in a folder, links not followed. */
const textsIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");

function expectUntouched(outside: string): void {
  expect(readdirSync(outside)).toEqual(["secret"]);
  expect(readFileSync(join(outside, "secret"), "utf8")).toBe(`${SECRET}\n`);
}

describe("links out of a project", () => {
  const [specs] = layout.specsDirs;

  it("from .progress.md are not copied in with the receipt", () => {
    const outside = makeOutside();
    const place = startPlace(layout);
    rmSync(join(place.folder, ".progress.md"));
    symlinkSync(join(outside, "secret"), join(place.folder, ".progress.md"));
    writeFileSync(join(place.folder, "tasks.md"), place.tasks().replaceAll("[ ]", "[x]"));
    const { systemMessage } = place.stop();
    expect(systemMessage).toContain("it is a link out of the project");
    expect(textsIn(place.root)).not.toContain(SECRET);
    expectUntouched(outside);
  });

  it("from the notes of a parallel task are not merged", () => {
    const outside = makeOutside();
    const place = startPlace(layout, {
      [`${specs}/demo/tasks.md`]: "- [ ] 1.1 [P] One\n- [ ] 1.2 [P] Two\n- [ ] 1.3 Three\n",
    });
    for (const id of ["1.1", "1.2"])
      symlinkSync(join(outside, "secret"), join(place.folder, `.progress-task-${id}.md`));
    for (const id of ["1.1", "1.2"])
      expect(place.run(["done", id, "--report", "TASK_COMPLETE"]).code).toBe(0);
    place.stop();
    expect(textsIn(place.root)).not.toContain(SECRET);
    expectUntouched(outside);
  });

  it("from the pointer reveal nothing of their target", () => {
    const outside = makeOutside();
    const place = makePlace(layout);
    mkdirSync(join(place.root, pointerOf(layout), ".."), { recursive: true });
    symlinkSync(join(outside, "secret"), join(place.root, pointerOf(layout)));
    const stopped = place.hook("stop");
    const said = [["status"], ["implement"], ["doctor"], ["start"], ["context"]].map((args) => {
      const { out, err } = place.run(args);
      return out + err;
    });
    expect([...said, stopped.out, stopped.err].join("\n")).not.toContain(SECRET);
    expect(stopped.err).toContain("it is a link out of the project");
    expect(place.run(["implement", "demo"]).code).toBe(0);
    expect(readFileSync(join(place.root, pointerOf(layout)), "utf8")).toBe("demo\n");
    expectUntouched(outside);
  });

  it("in the place of the folder for specs lead nowhere", () => {
    const outside = makeOutside();
    const flow = makeFlow(layout, { "code.ts": "export {};\n" });
    mkdirSync(join(flow.root, specs, ".."), { recursive: true });
    symlinkSync(outside, join(flow.root, specs));
    for (const args of [
      ["start", "rate-limit", GOAL, "--specs-dir", specs],
      ["index"],
      ["index", "--external", "https://example.com"],
      ["epic", "new", "shop", "x"],
    ]) {
      const ran = flow.run(args);
      expect(ran.err, args.join(" ")).toContain("out of the project");
      expect(ran.code, args.join(" ")).toBe(EXIT.broken);
    }
    expectUntouched(outside);
  });

  it("in the place of the folder for specs show no spec", () => {
    const outside = makePlace(layout, { [pointerOf(layout)]: "demo\n" });
    const place = makePlace(layout);
    renameSync(join(place.root, specs), join(place.root, "was"));
    symlinkSync(join(outside.root, specs), join(place.root, specs));
    fillFolder(place.root, { [layout.settingsFile]: "---\nenabled: true\n---\n" });
    expectRefusal(place.run(["implement", "demo"]), EXIT.usage, /leads out of the project/);
    expect(place.run(["cancel", "demo", "--delete-spec", "--yes"]).code).not.toBe(0);
    expect(outside.tasks()).not.toBe("");
    expect(readdirSync(outside.folder)).toEqual(["tasks.md"]);
  });

  it("from the settings count for nothing, and none is copied into a new work tree", () => {
    const outside = makeOutside();
    const flow = makeGitFlow(layout);
    mkdirSync(join(flow.root, ".claude"));
    symlinkSync(join(outside, "secret"), join(flow.root, layout.settingsFile));
    const made = flow.typeJson("start", "rate-limit", GOAL, "--worktree");
    expect(made).toMatchObject({ code: 0, created: true });
    expect(textsIn(String(made["worktree"]))).not.toContain(SECRET);
    expectUntouched(outside);
  });
});

it("a plan in the project that is a link out is not taken for one", () => {
  const outside = makeOutside();
  const flow = makeFlow(specum);
  symlinkSync(join(outside, "secret"), join(flow.root, "plan.md"));
  expectRefusal(flow.type("start", "./plan.md"), EXIT.broken, /it is a link out of the project/);
  expect(flow.type("start", join(outside, "../", "none.md")).code).not.toBe(0);
  expect(textsIn(flow.root)).not.toContain(SECRET);
  fillFolder(outside, { "plan.md": "Count requests\n" });
  expect(flow.type("start", join(outside, "plan.md")).code).toBe(0);
});

it("the history of a failure does not go where .progress.md leads", () => {
  const outside = makeOutside();
  const place = startPlace(specum);
  rmSync(join(place.folder, ".progress.md"));
  symlinkSync(join(outside, "secret"), join(place.folder, ".progress.md"));
  place.run(["fail", "1.1", "--reason", "it broke"]);
  expect(textsIn(place.root)).not.toContain(SECRET);
  expectUntouched(outside);
});

it("links within the project are followed, and stay links", () => {
  const place: Place = startFlow(specum);
  fillFolder(place.root, { "notes/kept.md": "# Kept\n", "notes/tasks.md": "- [ ] 1.1 One\n" });
  for (const [name, target] of [
    [".progress.md", "kept.md"],
    ["tasks.md", "tasks.md"],
  ] as const) {
    renameSync(join(place.root, "notes", target), join(place.root, "notes", `${target}.real`));
    writeFileSync(join(place.folder, name), "");
    renameSync(join(place.folder, name), join(place.folder, `${name}.old`));
    symlinkSync(`../../notes/${target}.real`, join(place.folder, name));
  }
  expect(place.slash(["implement", "rate-limit"]).code).toBe(0);
  expect(place.run(["done", "1.1", "--report", "TASK_COMPLETE"]).code).toBe(0);
  place.stop();
  const read = (name: string): string => readFileSync(join(place.root, "notes", name), "utf8");
  expect(read("tasks.md.real")).toBe("- [x] 1.1 One\n");
  expect(read("kept.md.real")).toMatch(/^# Kept\n[\s\S]*1\.1/);
});
