import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { hosts } from "../../src/hosts/all.ts";
import { specum } from "../support/editions.ts";
import { atDepth, belowDeadThread, deadThreadMissing } from "../support/hidden-process.ts";
import { vaultOf } from "../support/ticket.ts";
import { REPOSITORY } from "./child.ts";
import { IN_SESSION, type Place, SESSION, startPlace } from "./support.ts";
import { makeFolder } from "./temporary.ts";

const hasScript = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;
const PROGRAM = join(REPOSITORY, "plugins/ralph-specum/bin/ralph-specum");
const HOOK = join(REPOSITORY, "plugins/ralph-specum/dist/hook.cjs");

/** What an agent may type to be taken for its user: an empty environment, and a terminal of its own. */
const atTerminal = (command: string, more = ""): string =>
  `env -i HOME="$HOME" PATH="$PATH" ${more} script -qec '${PROGRAM} ${command}' /dev/null < /dev/null`;

const RUN =
  "require('node:child_process').spawnSync('sh', ['-c', process.argv[1]], { stdio: 'inherit' })";

const typedHook = ({ root }: Place): string => {
  const prompt = "/ralph-specum:status";
  const typed = JSON.stringify({ session_id: SESSION, cwd: root, prompt });
  return `echo '${typed}' | node ${HOOK} specum prompt codex > /dev/null`;
};

/** The processes that count as clients here. */
const clientsOf = (place: Place): string[] => {
  const folder = join(vaultOf(String(place.env["HOME"])), "clients");
  return existsSync(folder) ? readdirSync(folder) : [];
};

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
      // An error is wrapped to fit the terminal.
      expect(said.replace(/\s+/g, " ")).toMatch(
        new RegExp(
          `only the user can run accept, and this was started by ${name} \\(process \\d+\\)`,
        ),
      );
      expect(place.tasks()).toContain("- [ ] 1.2");
    });

    it("of which our hook has heard, whatever its program is called", () => {
      const place = startPlace(specum);
      const hook = typedHook(place);
      const said = runIn(place, "some-fork", `${hook}; ${atTerminal("accept 1.2")}`);
      expect(clientsOf(place)).toHaveLength(1);
      expect(said.replace(/\s+/g, " ")).toMatch(
        /only the user can run accept, and this was started by a client/,
      );
      expect(place.tasks()).toContain("- [ ] 1.2");
    });

    it("however many processes are in between", () => {
      const place = startPlace(specum);
      const said = runIn(place, "claude", atDepth(40, atTerminal("accept 1.2")));
      expect(said.replace(/\s+/g, " ")).toMatch(
        /only the user can run accept, and this was started by claude/,
      );
      expect(place.tasks()).toContain("- [ ] 1.2");
    });

    const missing = deadThreadMissing();
    it.skipIf(missing !== undefined)(
      `a process that nobody can look into does not help${missing ?? ""}`,
      () => {
        const place = startPlace(specum);
        const said = runIn(place, "claude", belowDeadThread(atTerminal("accept 1.2")));
        expect(said).toContain("only the user can run accept");
        expect(place.tasks()).toContain("- [ ] 1.2");
      },
    );

    it("a second vault that is a link to the first does not help, whole or in part", () => {
      const place = startPlace(specum);
      const first = join(vaultOf(String(place.env["HOME"])), "at");
      const whole = join(makeFolder(), "smart-ralph/at");
      const part = join(makeFolder(), "smart-ralph/at", place.root);
      for (const [link, to] of [
        [whole, first],
        [part, join(first, place.root)],
      ] as const) {
        mkdirSync(dirname(link), { recursive: true, mode: 0o700 });
        symlinkSync(to, link);
        const [state = ""] = link.split("/smart-ralph/at");
        const said = runIn(place, "claude", atTerminal("accept 1.2", `XDG_STATE_HOME=${state}`));
        expect(said).not.toContain("1.2 is accepted");
        expect(place.tasks()).toContain("- [ ] 1.2");
        expect(place.entries().map(({ event }) => event)).not.toContain("accepted");
      }
    });

    it("a client whose environment names a folder of the project uses the usual one", () => {
      const place = startPlace(specum, { ".x/": "" });
      const outer = { ...place, env: { ...place.env, XDG_STATE_HOME: join(place.root, ".x") } };
      const said = runIn(outer, "claude", atTerminal("accept 1.2"));
      expect(said.replace(/\s+/g, " ")).toMatch(
        /only the user can run accept, and this was started by claude/,
      );
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
      const traced = place.run(["trace"], IN_SESSION).out;
      expect(traced).toContain(`1.1, 1.2, 1.3 accepted ${from}`);
      expect(traced).not.toContain("accepted by the user");
    });

    it("nor does a flag make it the client's", () => {
      const place = startPlace(specum);
      const type = (command: string): string =>
        runIn(place, "xterm", atTerminal(`${command} --typed ${SESSION}`));
      type("accept 1.1");
      type("skip 1.2");
      const decided = (): unknown[] => place.entries().map(({ event, from }) => [event, from]);
      expect(decided().slice(-2)).toEqual([
        ["accepted", "terminal"],
        ["skipped", "terminal"],
      ]);
      expect(place.entries().at(-2)?.note).toBe(
        "accepted from a terminal that is not the client's",
      );
      expect(place.stop().systemMessage).not.toContain("by you");
      type("cancel demo");
      expect(place.state()).toBeUndefined();
      expect(decided().at(-1)).toEqual(["cancelled", "terminal"]);
    });

    /** What starts everybody's programs: an agent has it call our hook, or a user's own test does. */
    const STARTERS: [what: string, start: (command: string, over: string) => string][] = [
      ["script", (file, over) => `script -qec 'sh ${file}' /dev/null; touch ${over}`],
      ["nobody, because its parent has ended", (file, over) => `(sh ${file}; touch ${over}) &`],
      [
        "tmux",
        (file, over) =>
          `tmux -S ${over}.socket -f /dev/null new-session -d 'sh ${file}; touch ${over}'`,
      ],
    ];
    it.each(STARTERS)("a hook that was called by %s notes no client", async (what, start) => {
      if (what === "tmux" && spawnSync("tmux", ["-V"]).status !== 0) return;
      const place = startPlace(specum);
      const folder = makeFolder();
      const over = join(folder, "over");
      const file = join(folder, "hook.sh");
      writeFileSync(file, `sleep 0.5\n${typedHook(place)}\n:\n`);
      const { env, root: cwd } = place;
      spawnSync("sh", ["-c", start(file, over)], { cwd, env, stdio: "ignore" });
      await expect.poll(() => existsSync(over), { timeout: 20_000 }).toBe(true);
      expect(clientsOf(place)).toEqual([]);
      expect(runIn(place, "xterm", atTerminal("accept 1.2"))).toContain("1.2 is accepted as done");
    });
  },
);
