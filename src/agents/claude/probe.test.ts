import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { askProgram } from "../../exec/start.ts";
import type { Place } from "../port.ts";
import { claude } from "./claude.ts";

const { probe } = claude;

/** A place where `claude` is this shell script, or is missing. */
function place(script?: string): Place {
  const cwd = mkdtempSync(join(tmpdir(), "probe-"));
  if (script !== undefined)
    writeFileSync(join(cwd, "claude"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { cwd, env: { PATH: [cwd, process.env["PATH"]].join(delimiter) } };
}

const answers = (version: string, login: string): string =>
  `case "$*" in --version) echo "${version}";; "auth status") ${login};; *) touch asked;; esac`;

describe.skipIf(process.platform === "win32")("a probe", () => {
  it.each<[what: string, script: string, found: object]>([
    [
      "logged in",
      answers("2.1.325 (Claude Code)", `echo '{\n "loggedIn": true }'`),
      { installed: true, version: "2.1.325", loggedIn: true },
    ],
    [
      "logged out",
      answers("2.1.325 (Claude Code)", `echo '{ "loggedIn": false }'; exit 1`),
      {
        installed: true,
        version: "2.1.325",
        loggedIn: false,
        why: "not logged in; run claude and type /login",
      },
    ],
    [
      "silent about its login",
      answers("2.1.325", "echo oops"),
      { installed: true, version: "2.1.325" },
    ],
    [
      "too old to be asked for its login",
      answers("2.1.90", `echo '{ "loggedIn": true }'`),
      { installed: true, version: "2.1.90" },
    ],
    [
      "newer",
      answers("3.0.0", `echo '{ "loggedIn": true }'`),
      { installed: true, version: "3.0.0", loggedIn: true },
    ],
    [
      "broken",
      "echo 'no such library' >&2; exit 127",
      { installed: false, why: "claude --version does not answer; run it in a terminal" },
    ],
  ])("of a client that is %s", async (_, script, found) => {
    expect(await probe(place(script))).toEqual(found);
  });

  it("finds nothing if it is not installed, or only in the current folder", async () => {
    const { cwd } = place("echo 1.2.3");
    for (const PATH of ["/nowhere", "", ".", `.${delimiter}bin`]) {
      expect(await probe({ cwd, env: { PATH } })).toMatchObject({ installed: false });
    }
  });

  it("does not wait forever", async () => {
    const hangs = place("sleep 100 & wait");
    expect(await askProgram(hangs, ["claude", "--version"], 200)).toBeUndefined();
  });
});
