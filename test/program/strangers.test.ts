import { chownSync, existsSync, lchownSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { runGate } from "./gate.ts";
import {
  expectRefusal,
  findingOf,
  makePlace,
  openPlace,
  type Place,
  pointerOf,
  startPlace,
} from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

const layout = specum;

const STRANGER = 4242;
const OWNER = 4243;

/** Gives a file, or a folder with all that is in it, to somebody. */
function give(path: string, user: number): void {
  if (!existsSync(path)) return;
  lchownSync(path, user, user);
  if (!statSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) give(join(path, name), user);
}

// Only root can give files away, and Windows has no such owners.
describe.skipIf(process.getuid?.() !== 0)("on a machine that others use", () => {
  describe(specum.plugin, () => {
    const specs = layout.specsDirs[0];
    const spec = {
      [pointerOf(layout)]: "demo\n",
      [`${specs}/demo/tasks.md`]: "- [ ] 1.1 Theirs\n  - **Verify**: `touch pwned`\n",
      [`${specs}/demo/${layout.stateFile}`]: '{"phase":"execution"}',
    };

    /** A folder of ours in one of theirs, which contains a spec. */
    function makeShared(): { shared: string; place: Place } {
      const home = makeFolder();
      const shared = fillFolder(join(home, "shared"), spec);
      give(shared, STRANGER);
      const own = join(shared, "mine/deep");
      fillFolder(own, { "file.txt": "" });
      return { shared, place: openPlace(layout, own, join(shared, specs, "demo"), home) };
    }

    it("does not find their spec above our folder", () => {
      const { shared, place } = makeShared();
      const tasks = place.tasks();
      expect(place.hook("stop")).toEqual({ code: 0, out: "", err: "" });
      expect(runGate(place, {})).toEqual({ code: 0, out: "", err: "" });
      for (const args of [["status"], ["done", "1.1", "--report", "TASK_COMPLETE"], ["implement"]])
        expectRefusal(place.run(args), EXIT.missing, /there is no \S+ in /);
      expect(place.tasks()).toBe(tasks);
      expect(readdirSync(shared)).not.toContain("pwned");
      expect(existsSync(join(shared, specs, "demo", layout.journalFile))).toBe(false);
    });

    it("does not begin a spec at the top of their repository", () => {
      const { shared, place } = makeShared();
      fillFolder(shared, { ".git/HEAD": "ref: refs/heads/main\n" });
      give(join(shared, ".git"), STRANGER);
      const before = readdirSync(join(shared, specs));
      expect(place.run(["start", "ours", "Something of ours"]).code).toBe(0);
      expect(readdirSync(join(shared, specs))).toEqual(before);
      expect(readdirSync(join(place.root, specs)).join()).toContain("ours");
    });

    it.each([
      ["pointer", () => pointerOf(layout)],
      ["spec", () => `${specs}/demo`],
      ["state", () => `${specs}/demo/${layout.stateFile}`],
    ])("refuses their %s in our project, and says whose it is", (_, theirs) => {
      const place = startPlace(layout);
      const path = join(place.root, theirs());
      chownSync(path, STRANGER, STRANGER);
      const { code, out, err } = place.hook("stop");
      expect(code).toBe(0);
      expect(out).toContain("the run of demo stopped before it was finished");
      expect(out).not.toContain("decision");
      expect(err).toContain(`${theirs()}: it belongs to user ${STRANGER} of this machine`);
      expect(err).toMatch(/; nothing is run\n/);
      expect(findingOf(place, "pointer")?.message).toContain(`user ${STRANGER}`);
      expect(place.tasks()).not.toContain("[x]");
    });

    it("ignores a spec of theirs next to ours", () => {
      const place = startPlace(layout, { [`${specs}/other/tasks.md`]: "- [ ] 1.1 x\n" });
      give(join(place.root, specs, "other"), STRANGER);
      expectRefusal(place.run(["implement", "other"]), EXIT.usage, `user ${STRANGER}`);
      expect(place.stop().decision).toBe("block");
    });

    it("works as root on a project that belongs to its user, as in a container", () => {
      const place = makePlace(layout, { "src/deep/x.ts": "" });
      give(place.root, OWNER);
      expect(place.run(["implement", "demo"]).code).toBe(0);
      expect(place.stop({}, { cwd: join(place.root, "src/deep") }).decision).toBe("block");
      expect(place.run(["done", "1.1", "--report", "TASK_COMPLETE"]).code).toBe(0);
      expect(statSync(join(place.folder, "tasks.md")).uid).toBe(OWNER);
      give(place.root, OWNER);
      expect(place.stop().decision).toBe("block");
      expect(place.stop({}, { cwd: join(place.root, "src/deep") }).decision).toBe("block");
    });
  });
});
