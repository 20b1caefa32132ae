import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { specum } from "../../test/support/editions.ts";
import { openProject } from "./project.ts";
import { type Spec, specAt } from "./spec.ts";
import { announceOnce, leaveTicket, takeTicket } from "./tickets.ts";
import { findVault, planVault } from "./vault-place.ts";
import {
  appendToVault,
  forgetSpec,
  isOnlyRunningSpec,
  listRunningSpecs,
  unmarkRunning,
  readAgreement,
  readRecord,
  readVaultJournal,
  writeAgreement,
  writeRecord,
} from "./vault.ts";

let home = "";
let spec: Spec;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "smart-ralph-vault-")));
  vi.stubEnv("HOME", home);
  vi.stubEnv("XDG_STATE_HOME", "");
  mkdirSync(join(home, "project/specs/demo"), { recursive: true });
  const project = openProject(specum, join(home, "project"));
  spec = specAt(project, join(project.root, "specs/demo"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

it.each([
  [{ HOME: "/h" }, "linux", "/h/.local/state/smart-ralph"],
  [{ HOME: "/h", XDG_STATE_HOME: "/x" }, "darwin", "/x/smart-ralph"],
  [{ HOME: "/h", XDG_STATE_HOME: "x" }, "linux", "/h/.local/state/smart-ralph"],
  [{ HOME: "h" }, "linux", undefined],
  [{}, "linux", undefined],
  [{ LOCALAPPDATA: "C:\\u\\Local" }, "win32", join("C:\\u\\Local", "smart-ralph")],
])("is in the user's own folder: %j on %s", (env, platform, folder) =>
  expect(planVault(env, platform)).toBe(folder),
);

describe("the record of a run", () => {
  it("is that of the spec in this very folder, by whichever way one comes to it", () => {
    expect(readRecord(spec)).toBeUndefined();
    expect(writeRecord(spec, { token: "t", env: { PATH: "/bin" } })).toBeUndefined();
    symlinkSync(join(home, "project"), join(home, "link"));
    const project = openProject(specum, join(home, "link"));
    const linked = specAt(project, join(project.root, "specs/demo"));
    expect(readRecord(linked)).toEqual({ token: "t", env: { PATH: "/bin" } });
    expect(readRecord(specAt(spec.project, join(home, "project/specs/other")))).toBeUndefined();
  });

  it("comes with a journal, the agreed commands, and a mark that it is on", () => {
    writeRecord(spec, { token: "t" });
    appendToVault(spec, "one\n");
    appendToVault(spec, "two\n");
    expect(readVaultJournal(spec)).toMatchObject({ text: "one\ntwo\n" });
    expect(readAgreement(spec)).toBeUndefined();
    const agreed = { commands: ["npm test"], tasks: ["1.1"] };
    writeAgreement(spec, agreed);
    expect(readAgreement(spec)).toEqual(agreed);
    expect(listRunningSpecs(spec.project)).toMatchObject([{ name: "demo", folder: spec.folder }]);
    unmarkRunning(spec);
    unmarkRunning(spec);
    expect(listRunningSpecs(spec.project)).toEqual([]);
    forgetSpec(spec);
    expect([readRecord(spec), readAgreement(spec), readVaultJournal(spec).kind]).toEqual([
      undefined,
      undefined,
      "absent",
    ]);
  });

  it("has its own mark, even next to another spec of the same name", () => {
    mkdirSync(join(home, "project/other/demo"), { recursive: true });
    const other = specAt(spec.project, join(home, "project/other/demo"));
    writeRecord(spec, { token: "t" });
    writeRecord(other, { token: "u" });
    const folders = (): string[] => listRunningSpecs(spec.project).map(({ folder }) => folder);
    expect(folders().sort()).toEqual([other.folder, spec.folder].sort());
    expect(isOnlyRunningSpec(spec)).toBe(false);
    unmarkRunning(other);
    expect(folders()).toEqual([spec.folder]);
    const [found] = listRunningSpecs(spec.project);
    if (found !== undefined) unmarkRunning(found);
    expect(folders()).toEqual([]);
  });

  it("is known also when the folder is gone", () => {
    writeRecord(spec, { token: "t" });
    rmSync(spec.folder, { recursive: true });
    const [gone] = listRunningSpecs(spec.project);
    expect(gone && readRecord(gone)).toEqual({ token: "t" });
  });

  it("is not trusted where others may write", () => {
    writeRecord(spec, { token: "t" });
    chmodSync(join(home, ".local/state/smart-ralph"), 0o777);
    const again = specAt(spec.project, spec.folder);
    expect(readRecord(again)).toBeUndefined();
    expect(findVault()).toMatchObject({ kind: "shared" });
    expect(writeRecord(again, { token: "u" })).toMatch(/no private folder/);
  });

  it("cannot be kept without a home", () => {
    vi.stubEnv("HOME", "");
    expect(writeRecord(spec, { token: "t" })).toMatch(/no private folder/);
    expect(readRecord(spec)).toBeUndefined();
  });
});

describe("a ticket", () => {
  const at = "2026-01-01T00:00:00.000Z";
  const later = "2026-01-01T00:20:00.000Z";
  const ticket = { command: "start", args: "a goal", from: "expansion", prompt: "p1", at } as const;

  it("is taken once, by the command that was typed, in its session", () => {
    leaveTicket("s/1", ticket);
    expect(takeTicket("s/2", ["start"], at)).toBeUndefined();
    expect(takeTicket("s/1", ["resume"], at)).toBeUndefined();
    expect(takeTicket("s/1", ["start"], later)).toBeUndefined();
    expect(takeTicket("s/1", ["start"], at)).toEqual(ticket);
    expect(takeTicket("s/1", ["start"], at)).toBeUndefined();
  });

  it("is not left again by another event of the same prompt", () => {
    leaveTicket("s", ticket);
    takeTicket("s", ["start"], at);
    leaveTicket("s", ticket);
    expect(takeTicket("s", ["start"], at)).toBeUndefined();
    leaveTicket("s", { ...ticket, prompt: "p2" });
    expect(takeTicket("s", ["start"], at)).toMatchObject({ prompt: "p2" });
  });

  it("is not left again by a client that does not name its prompts and reports one twice", () => {
    const { prompt: _, ...nameless } = ticket;
    leaveTicket("s", nameless);
    takeTicket("s", ["start"], at);
    leaveTicket("s", { ...nameless, from: "prompt" });
    expect(takeTicket("s", ["start"], at)).toBeUndefined();
    leaveTicket("s", nameless);
    expect(takeTicket("s", ["start"], at)).toBeDefined();
  });

  it("is in the user's own folder", () => {
    leaveTicket("../../out", ticket);
    expect(
      existsSync(join(home, ".local/state/smart-ralph/tickets/%2e%2e%2f%2e%2e%2fout.json")),
    ).toBe(true);
  });
});

it("a session is told a thing once", () => {
  expect([
    announceOnce("s", "a"),
    announceOnce("s", "b"),
    announceOnce("s", "a"),
    announceOnce("t", "a"),
  ]).toEqual([true, true, false, true]);
});
