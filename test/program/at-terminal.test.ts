import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { REPOSITORY, runChild } from "./child.ts";
import { expectRefusal, makePlace, type Place } from "./support.ts";
import { hasTerminal, inTerminal, showIn } from "./terminal.ts";

/** What a person sees who types `keys` once they are asked. */
const answerIn = (place: Place, args: readonly string[], keys: string): string =>
  String(
    spawnSync("script", inTerminal(80, args), {
      cwd: place.root,
      env: { ...place.env, TERM: "xterm", NO_COLOR: "1", SHELL: "/bin/sh" },
      input: keys,
      timeout: 60_000,
    }).stdout,
  ).replaceAll("\r\n", "\n");

const QUESTION = 'There is no spec login. Begin one with the goal "login"? [y/N]';

describe.runIf(hasTerminal)("at a terminal", () => {
  it("start says what was made and what a person types next, not what an agent has to do", () => {
    const place = makePlace(specum);
    const said = showIn(80, place, ["start", "rate-limit", "limit requests"]);
    expect(said).toContain('Spec "rate-limit" created in ./specs/rate-limit.');
    expect(said).toMatch(/^ {2}smart-ralph run rate-limit {2,}agents plan and do it/m);
    expect(said).toMatch(/^ {2}\/ralph-specum:start rate-limit {2,}in your client/m);
    expect(said.split("\n").length).toBeLessThan(12);
    expect(showIn(80, place, ["status", "rate-limit"])).toContain(
      "→ smart-ralph run rate-limit, or /ralph-specum:start",
    );
  });

  it("implement names the two ways, too", () => {
    const said = showIn(80, makePlace(specum), ["implement"]);
    expect(said).toMatch(/^ {2}smart-ralph run demo {2,}agents do the tasks/m);
    expect(said).toMatch(/^ {2}\/ralph-specum:resume demo /m);
    expect(said).not.toContain("Delegate");
  });

  it("run asks whether a word that names nothing is a goal", () => {
    const place = makePlace(specum);
    const said = answerIn(place, ["run", "login"], "n\n");
    expect(said).toContain(QUESTION);
    expect(said).toContain('there is no spec "login"');
    expect(existsSync(join(place.root, "specs/login"))).toBe(false);
    const dry = answerIn(place, ["run", "login", "--dry-run"], "y\n");
    expect(dry).toContain('there is no spec "login"');
    expect(dry).not.toContain("[y/N]");
    const meant = answerIn(place, ["run", "dmeo"], "y\n");
    expect(meant).toContain("did you mean demo?");
    expect(meant).not.toContain("[y/N]");
  });

  it("a yes begins it", () => {
    const said = answerIn(makePlace(specum), ["run", "login", "--agent", "nobody"], "y\n");
    expect(said).toContain(QUESTION);
    expect(said).not.toContain('there is no spec "login"');
    expect(said).toContain('"nobody"');
  });
});

describe("without a terminal, run with one word", () => {
  const place = makePlace(specum);
  const run = (...args: string[]): ReturnType<typeof runChild> =>
    runChild(process.execPath, [join(REPOSITORY, "bin/smart-ralph.cjs"), "run", ...args], {
      cwd: place.root,
      env: { ...place.env },
    });

  it("is refused with what to type", () => {
    expectRefusal(
      run("login"),
      EXIT.missing,
      'there is no spec "login"; to begin one with the goal "login": smart-ralph run --fresh login',
    );
    expectRefusal(run("specs/nofile.md"), EXIT.missing, "specs/nofile.md does not exist");
  });

  it("takes it for a goal with --fresh", () => {
    const { err } = run("--fresh", "login", "--agent", "nobody");
    expect(err).not.toContain("there is no spec");
    expect(err).toContain('"nobody"');
  });
});
