import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { speckit, specum } from "../support/editions.ts";
import { PATH } from "./child.ts";
import { expectRefusal, IN_SESSION, makePlace, startPlace } from "./support.ts";
import { fillFolder } from "./temporary.ts";

const layout = specum;

const OTHER = { env: { CLAUDE_CODE_SESSION_ID: "session-2" } };

describe("another session's run", () => {
  it("is not reported on, but may be paused", () => {
    const place = startPlace(layout);
    const before = place.tasks();
    for (const args of [
      ["done", "1.1", "--report", "TASK_COMPLETE"],
      ["fail", "1.1", "--reason", "x"],
      ["await-approval"],
    ]) {
      expectRefusal(place.run(args, OTHER), 1, "belongs to another session", "takes it over");
    }
    expectRefusal(
      place.slash(["approve"], "session-2"),
      1,
      "belongs to another session",
      "takes it over",
    );
    expect(place.tasks()).toBe(before);
    expect(place.run(["pause"], OTHER).code).toBe(0);
  });

  it("does not attract a session's own reports", () => {
    const name = `${layout.specsDirs[0]}/other`;
    const place = startPlace(layout, { [`${name}/tasks.md`]: "- [ ] 1.1 x\n" });
    place.slash(["implement", "other"], "session-2");
    expect(place.run(["done", "1.1", "--report", "TASK_COMPLETE"], IN_SESSION).code).toBe(0);
    expect(place.tasks()).toContain("- [x] 1.1 First");
    expect(readFileSync(join(place.root, name, "tasks.md"), "utf8")).toBe("- [ ] 1.1 x\n");
  });

  it("that loses its tasks.md is broken, whatever the agent says", () => {
    const place = startPlace(layout);
    rmSync(join(place.folder, "tasks.md"));
    expect(place.stop({ last_assistant_message: "ALL_TASKS_COMPLETE" }).reason).toContain(
      "it is gone",
    );
    expect(place.state()).toBeDefined();
  });

  it("that is ticked by hand leaves a receipt that says so", () => {
    const place = startPlace(layout);
    writeFileSync(join(place.folder, "tasks.md"), place.tasks().replaceAll("[ ]", "[x]"));
    expect(place.stop().systemMessage).toContain("; 3 reported;");
    expect(readFileSync(join(place.folder, ".progress.md"), "utf8")).toContain("ticked by hand");
  });
});

it("keeps the files of an older version's run out of git once the user resumes it", () => {
  const place = makePlace(specum, {
    "specs/.current-spec": "demo\n",
    "specs/demo/.ralph-state.json": '{"phase":"execution","taskIndex":0,"totalTasks":3}',
  });
  const git = (...args: string[]): string =>
    execFileSync("git", args, {
      cwd: place.root,
      env: { PATH, HOME: place.root },
      encoding: "utf8",
    });
  git("init", "-q");
  expect(place.slash(["resume"]).code).toBe(0);
  expect(git("status", "--porcelain", "-uall")).not.toMatch(/state|journal|current-spec/);
});

it("takes today's Spec Kit tree for what it is, and a name for the layout that has it", () => {
  const place = makePlace(specum);
  rmSync(join(place.root, "specs"), { recursive: true });
  fillFolder(place.root, {
    ".specify/memory/x.md": "",
    "specs/001-b/tasks.md": "- [ ] T001 Make it\n",
  });
  const program = join(place.root, "..", "run.cjs");
  writeFileSync(program, `require(${JSON.stringify(join(process.cwd(), "bin/smart-ralph.cjs"))})`);
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, [program, ...args], {
      cwd: place.root,
      env: place.env,
      encoding: "utf8",
    });
  expect(run("implement")).toContain("ralph-speckit is now executing feature `001-b`");
  fillFolder(place.root, { [`${speckit.specsDirs[0]}/002-c/tasks.md`]: "- [ ] T001 x\n" });
  expect(run("implement", "002-c")).toContain("feature `002-c`");
});
