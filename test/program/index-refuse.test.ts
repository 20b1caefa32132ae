import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { speckit, specum } from "../support/editions.ts";
import { openRepository } from "../support/repository.ts";
import { PATH, REPOSITORY, runChild } from "./child.ts";
import { CODE, folderOf, read } from "./indexed.ts";
import { expectRefusal, makePlace } from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

describe("what is refused", () => {
  it.each<[argv: string[], says: RegExp]>([
    [["--force", "--changed"], /--force and --changed contradict/],
    [["--changed", "--quick"], /--changed and --quick contradict/],
    [["--path", "nowhere"], /there is no folder "nowhere"/],
    [["--path", "README.md"], /there is no folder "README.md"/],
    [["--path", ".."], /"\.\." is not in the project/],
    [["--type", "nonsense"], /there is no "nonsense"; there are: controllers, /],
    [["--note", "x"], /--note goes with --external/],
    [["--external", "nowhere"], /is not a URL/],
    [["--external", "file:///etc/passwd"], /is not an http or https URL/],
    [["--external", "https://me:hush@example.com"], /contains a user name or password/],
  ])("%j", (argv, says) => {
    const place = makePlace(specum, CODE);
    const ran = place.run(["index", ...argv]);
    expectRefusal(ran, EXIT.usage, says);
    expect(ran.err).not.toContain("hush");
    expect(readdirSync(join(place.root, "specs"))).toEqual(["demo"]);
  });

  it("a folder for the index that leads out of the project", () => {
    const outside = makeFolder();
    const place = makePlace(specum, CODE);
    symlinkSync(outside, folderOf(place));
    expectRefusal(place.run(["index"]), EXIT.broken, /out of the project/);
    rmSync(folderOf(place));
    mkdirSync(folderOf(place));
    symlinkSync(outside, join(folderOf(place), "external"));
    expectRefusal(
      place.run(["index", "--external", "https://example.com"]),
      EXIT.broken,
      /out of the project/,
    );
    fillFolder(outside, { "secret.md": "# Secret\n" });
    place.run(["index"]);
    expect(read(place, "index.md")).not.toContain("Secret");
    expect(readdirSync(outside)).toEqual(["secret.md"]);
  });

  it("a home folder without a project in it", () => {
    const home = makeFolder();
    const ran = makePlace(specum).run(["index"], { cwd: home, env: { HOME: home } });
    expectRefusal(ran, EXIT.missing, /is not a project; run this in one/);
    expect(readdirSync(home)).toEqual([]);
  });
});

describe("smart-ralph index", () => {
  const bin = join(REPOSITORY, "bin/smart-ralph.cjs");
  const run = (cwd: string, home: string, ...argv: string[]) =>
    runChild(process.execPath, [bin, ...argv], { cwd, env: { PATH, HOME: home } });

  it("begins a project without specs at the top of its repository", () => {
    const home = makeFolder();
    const root = fillFolder(join(home, "shop"), { ...CODE, ".gitignore": "mail.*\n" });
    openRepository(root, home).git("init", "-q");
    expect(run(join(root, "src"), home, "index").code).toBe(0);
    const page = readFileSync(join(root, "specs/.index/index.md"), "utf8");
    expect(page).toContain("src/login.service.ts");
    expect(page).not.toContain("mail.py");
  });

  it("does not make a Spec Kit project with features in specs/ look like another", () => {
    const { root } = makePlace(speckit, { "specs/001-a/tasks.md": "- [ ] T001 Do it\n" });
    rmSync(join(root, ".specify/specs"), { recursive: true });
    const layout = (): unknown =>
      (JSON.parse(run(root, root, "feedback", "--json").out) as { layout: unknown }).layout;
    expect(layout()).toBe("speckit");
    expect(run(root, "/nowhere", "index").out).toContain("./.specify/specs/.index/index.md");
    expect(layout()).toBe("speckit");
  });
});
