import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hosts } from "../../src/hosts/all.ts";
import { specum } from "../support/editions.ts";
import { REPOSITORY } from "./child.ts";
import { IN_SESSION, type Place, SESSION, startPlace } from "./support.ts";
import { makeFolder } from "./temporary.ts";

const hasScript = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;
const PROGRAM = join(REPOSITORY, "plugins/ralph-specum/bin/ralph-specum");
const HOOK = join(REPOSITORY, "plugins/ralph-specum/dist/hook.cjs");

/** What an agent may type to be taken for its user: an empty environment, and a terminal of its own. */
const atTerminal = (command: string): string =>
  `env -i HOME="$HOME" PATH="$PATH" script -qec '${PROGRAM} ${command}' /dev/null < /dev/null`;

const RUN =
  "require('node:child_process').spawnSync('sh', ['-c', process.argv[1]], { stdio: 'inherit' })";

/** A client of this name, which runs a shell command; its home is that of the place, or another. */
function runIn(place: Place, client: string, command: string, home = place.env["HOME"]): string {
  const program = join(makeFolder(), client);
  symlinkSync(process.execPath, program);
  const vault = `HOME='${place.env["HOME"]}'; export HOME; ${command}`;
  const env = { ...place.env, HOME: home };
  const { stdout } = spawnSync(program, ["-e", RUN, vault], { cwd: place.root, env });
  return String(stdout);
}

describe.runIf(hasScript && process.platform === "linux")(
  `below a client${hasScript ? "" : " (skipped: there is no `script` here)"}`,
  () => {
    it.each(hosts.map(({ name }) => name))("nobody is the user of %s", (name) => {
      const place = startPlace(specum);
      const said = runIn(place, name, atTerminal("accept 1.2"));
      expect(said).toMatch(
        new RegExp(
          `only the user can run accept, and this was started by ${name} \\(process \\d+\\)`,
        ),
      );
      expect(place.tasks()).toContain("- [ ] 1.2");
    });

    it("of which our hook has heard, whatever its program is called", () => {
      const place = startPlace(specum);
      const typed = JSON.stringify({
        session_id: SESSION,
        cwd: place.root,
        prompt: "/ralph-specum:status",
      });
      const hook = `echo '${typed}' | node ${HOOK} specum prompt codex > /dev/null`;
      const said = runIn(place, "some-fork", `${hook}; ${atTerminal("accept 1.2")}`);
      expect(said).toMatch(/only the user can run accept, and this was started by a client/);
      expect(place.tasks()).toContain("- [ ] 1.2");
    });

    it("a test may be the user of a vault that is not the client's", () => {
      const place = startPlace(specum);
      const said = runIn(place, "claude", atTerminal("accept 1.2"), makeFolder());
      expect(said).toContain("1.2 is accepted as done");
    });

    it("what comes from any other terminal is told in the client and in the receipt", () => {
      const place = startPlace(specum);
      for (const command of ["accept 1.1", "skip 1.2"]) runIn(place, "xterm", atTerminal(command));
      const from = "from a terminal that is not the client's";
      expect(place.stop().systemMessage).toMatch(
        new RegExp(`! 1\\.2 skipped ${from} · ✓ 1\\.1 accepted ${from}`),
      );
      expect(place.run(["unskip", "1.2"]).code).toBe(0);
      for (const id of ["1.2", "1.3"]) runIn(place, "xterm", atTerminal(`accept ${id}`));
      place.stop();
      const receipt = readFileSync(join(place.folder, ".progress.md"), "utf8");
      expect(receipt).toMatch(new RegExp(`\\| 1\\.1 .*accepted ${from}`));
      expect(place.run(["trace"], IN_SESSION).out).toContain("accepted by the user");
    });
  },
);
