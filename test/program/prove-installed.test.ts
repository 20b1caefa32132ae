import { chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { report } from "./claims.ts";
import { expectNothingLeft, type Stage, stageWith, verdictsOf } from "./proofs.ts";
import { userFileOf } from "./support.ts";
import { fillFolder } from "./temporary.ts";

describe("prove, in a project with installed folders", () => {
  const INSTALLED = {
    "specs/demo/tasks.md": `- [ ] 1.1 Test
  - **Verify**: \`npm test\`
- [ ] 1.2 Use it
  - **Verify**: \`node use.js && echo more >> node_modules/.bin/three\`
- [ ] 1.3 A script of ours
  - **Verify**: \`./check.sh\`
`,
    ".gitignore": "node_modules\n",
    "package.json": "{}",
    "package-lock.json": "{}\n",
    "own/index.js": "module.exports = 3;\n",
    "check.sh": "#!/bin/sh\nexit 1\n",
  };
  /** What each task commits. */
  const WORK = {
    "1.1": {
      "package.json": '{ "scripts": { "test": "three" }, "dependencies": { "own": "file:own" } }',
    },
    "1.2": { "use.js": "require('own'); require('other');\n" },
    "1.3": { "check.sh": "#!/bin/sh\n" },
  };
  const PROGRAM = "#!/bin/sh\nexit 0\n";

  function finishInstalled(): Stage {
    const stage = stageWith(INSTALLED);
    const { place, git } = stage;
    git.git("update-index", "--chmod=+x", "check.sh");
    git.git("commit", "-q", "-m", "mode");
    git.git("checkout", "-q", "--", "check.sh");
    fillFolder(place.root, {
      "node_modules/.bin/three": PROGRAM,
      "node_modules/other/index.js": "",
    });
    chmodSync(join(place.root, "node_modules/.bin/three"), 0o755);
    symlinkSync("../own", join(place.root, "node_modules/own"));
    place.slash(["implement", "demo"]);
    for (const [id, work] of Object.entries(WORK)) {
      git.commit(work);
      expect(report(place, "TASK_COMPLETE", id).code).toBe(0);
    }
    git.commit();
    writeFileSync(join(place.root, "node_modules/.bin/three"), PROGRAM);
    return stage;
  }

  it("uses copies of the user's, says so, and names a lock that is another", () => {
    const stage = finishInstalled();
    const { place, git, env } = stage;
    const { code, out } = place.run(["prove"], { env });
    expect(out).toContain("3 proven again");
    expect(out).toContain("\nnode_modules is shared from your tree\n");
    expect(code).toBe(0);
    // A Verify changed it there.
    expect(readFileSync(join(place.root, "node_modules/.bin/three"), "utf8")).toBe(PROGRAM);
    const old = git.git("rev-parse", "HEAD");
    git.commit({ "package-lock.json": '{ "lockfileVersion": 3 }\n' });
    expect(place.json(["prove", "--at", old, "--parallel", "2"], { env })).toMatchObject({
      ok: true,
      shared: [
        `node_modules is shared from your tree; its package-lock.json differs from that of ${old.slice(0, 9)}`,
      ],
    });
    expectNothingLeft(stage);
  });

  it("could not run what is not installed: that is not broken, and it says what to set", () => {
    const stage = finishInstalled();
    const { place, env } = stage;
    rmSync(join(place.root, "node_modules"), { recursive: true });
    const answer = place.json(["prove"], { env });
    expect(answer).toMatchObject({ code: EXIT.refused, ok: false, shared: [] });
    expect(verdictsOf(answer)).toEqual(["1.1 not-run", "1.2 not-run", "1.3 proven-again"]);
    const { out } = place.run(["prove"], { env });
    expect(out).toMatch(
      /^✗ 1\.1 Test .* could not be run\n {4}`npm test` could not be run, exit code 127\n {6}sh: .*three: not found$/m,
    );
    expect(out).toMatch(/Cannot find module 'own'/);
    const file = join(place.root, userFileOf(specum));
    expect(out).toContain(
      `\n1.1, 1.2: what the Verify needs is not in the checkout; name the command that installs it in ${file}, such as prove_setup: npm ci\n`,
    );
    const install = `mkdir -p node_modules/.bin node_modules/other && ln -s ../own node_modules/own && echo > node_modules/other/index.js && ln -s ../../check.sh node_modules/.bin/three`;
    for (const [setting, command, verdict] of [
      ["run_setup", install, "proven-again"],
      ["prove_setup", "true", "not-run"],
    ]) {
      fillFolder(place.root, {
        [userFileOf(specum)]: `---\n${setting}: ${command}\n---\n`,
      });
      const again = place.json(["prove"], { env });
      expect(again).toMatchObject({ setup: [command] });
      expect(verdictsOf(again)).toEqual([`1.1 ${verdict}`, `1.2 ${verdict}`, "1.3 proven-again"]);
    }
    expect(place.run(["prove"], { env }).out).toContain("the setup did not install it: `true`");
    expectNothingLeft(stage);
  });

  it("is broken if a script of its own is gone", () => {
    const { place, git, env } = finishInstalled();
    git.git("rm", "-q", "check.sh");
    git.git("commit", "-q", "-m", "gone");
    expect(verdictsOf(place.json(["prove"], { env }))).toEqual([
      "1.1 proven-again",
      "1.2 proven-again",
      "1.3 broken-since",
    ]);
  });
});
