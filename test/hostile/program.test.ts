import { symlinkSync, truncateSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { faultsIn, runChild } from "../program/child.ts";
import { makePlace, type Place, pointerOf, SESSION, startPlace } from "../program/support.ts";
import { specum } from "../support/editions.ts";
import { VAULT_FILES, vaultFile } from "../support/vault.ts";
import { ensureAnswer, ensureSafe } from "./invariants.ts";

/** What a call may wait for, or read, without end: it has to be tried where it can be ended from outside. */
const KINDS: Readonly<Record<string, (path: string) => void>> = {
  "a FIFO": (path) => void runChild("mkfifo", [path]),
  "a device without end": (path) => symlinkSync("/dev/zero", path),
  "a folder": (path) => mkdirSync(path),
};

const FILES: Readonly<Record<string, string>> = {
  "the pointer": pointerOf(specum),
  "the settings": specum.settingsFile,
  "the state": `specs/demo/${specum.stateFile}`,
  "the journal": `specs/demo/${specum.journalFile}`,
  "tasks.md": "specs/demo/tasks.md",
  ".progress.md": "specs/demo/.progress.md",
  "the transcript": "transcript",
  ".git": ".git",
};

const VAULT = Object.keys(VAULT_FILES) as (keyof typeof VAULT_FILES)[];

/** A run that a clone brought along. */
const makeRun = (name = "demo"): Place =>
  makePlace(
    specum,
    {
      [pointerOf(specum)]: name,
      [`specs/${name}/${specum.stateFile}`]: JSON.stringify({
        phase: "execution",
        sessionId: SESSION,
      }),
    },
    name,
  );

/** The same, once its user has resumed it. */
function resumeRun(name?: string): Place {
  const place = makeRun(name);
  expect(place.slash(["resume"]).code).toBe(0);
  return place;
}

describe.each(Object.entries(KINDS))("with %s", (_, put) => {
  const putAt = (path: string): void => {
    rmSync(path, { force: true });
    mkdirSync(join(path, ".."), { recursive: true });
    put(path);
  };
  const expectEnd = (place: Place): void => {
    const { code, out, err } = place.hook("stop", {
      transcript_path: join(place.root, "transcript"),
    });
    expect(code).toBe(0);
    ensureAnswer(out);
    ensureSafe(err, "standard error");
    const status = place.run(["status"]);
    expect([EXIT.ok, EXIT.missing, EXIT.broken]).toContain(status.code);
    ensureSafe(status.out + status.err, "status");
  };

  it.each(Object.entries(FILES))(
    "in the place of %s, the hook and status come to an end",
    (_name, file) => {
      for (const place of [makeRun(), startPlace(specum)]) {
        putAt(join(place.root, file));
        expectEnd(place);
      }
    },
  );

  it.each(VAULT)("in the place of the user's own %s of the run, too", (file) => {
    const place = startPlace(specum);
    putAt(vaultFile(place.env["HOME"] as string, specum, place.folder, file));
    expectEnd(place);
  });
});

it("a hook needs little memory, whatever the size of what it is given", () => {
  const place = resumeRun();
  const sizes = { transcript: 200 << 20, [`specs/demo/${specum.journalFile}`]: 200 << 20 };
  for (const [file, size] of Object.entries(sizes)) {
    writeFileSync(join(place.root, file), "");
    truncateSync(join(place.root, file), size);
  }
  const fields = { transcript_path: join(place.root, "transcript"), prompt: "x".repeat(8 << 20) };
  const env = { NODE_OPTIONS: "--max-old-space-size=64" };
  const { code, out, err } = place.hook("stop", fields, { env });
  expect({ code, err: faultsIn(err) }).toEqual({ code: 0, err: "" });
  expect(JSON.parse(out)).toMatchObject({ decision: "block" });
});

it.each(["\u202eevil", "\u061cevil", "$(touch canary)", "a'b\"c", "{{program}}", "CON", "é🎉"])(
  "a spec by the name of %j is shown as text, by the hook and by commands",
  (name) => {
    const place = resumeRun(name);
    const stop = place.hook("stop", { last_assistant_message: "Done." });
    ensureAnswer(stop.out);
    expect(JSON.parse(stop.out)).toMatchObject({ decision: "block" });
    for (const words of [
      ["status"],
      ["next"],
      ["tasks", "list"],
      ["tasks", "lint"],
      ["implement", "../x"],
    ]) {
      for (const more of [[], ["--json"]]) {
        const { out, err } = place.run([...words, ...more], {
          env: { CLAUDE_CODE_SESSION_ID: SESSION },
        });
        ensureSafe(out + err, words.join(" "));
      }
    }
  },
);
