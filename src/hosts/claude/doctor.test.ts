import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OLDEST } from "../../../test/e2e/install.ts";
import { fillFolder, makeFolder } from "../../../test/program/temporary.ts";
import { checkNode } from "../../engine/doctor/doctor.ts";
import { checkVersion, readVersion } from "../client-version.ts";
import { CLAUDE } from "./doctor.ts";

it("asks a client on the path alone, and Windows not to look into the current folder", () => {
  const bin = fillFolder(makeFolder(), {
    claude: '#!/bin/sh\necho "$NoDefaultCurrentDirectoryInExePath"\n',
  });
  chmodSync(join(bin, "claude"), 0o755);
  expect(readVersion("claude", { PATH: bin })).toBe("1\n");
});

describe("checkNode", () => {
  it.each([
    ["20.0.0", "ok"],
    ["24.1.0", "ok"],
    ["18.20.1", "error"],
    ["9.0.0", "error"],
  ])("%s is %s", (version, severity) => {
    const finding = checkNode(version);
    expect(finding.severity).toBe(severity);
    expect(finding.fix === undefined).toBe(severity === "ok");
  });
});

describe("checkClaude", () => {
  it.each([
    [undefined, "info"],
    [`${CLAUDE.oldest} (Claude Code)\n`, "ok"],
    ["2.1.1000 (Claude Code)", "ok"],
    ["2.10.0", "ok"],
    ["3.0.0", "ok"],
    ["2.1.9 (Claude Code)", "warning"],
    ["1.99.999", "warning"],
    ["something else", "warning"],
    ["", "warning"],
  ])("%j is %s", (printed, severity) => {
    const finding = checkVersion(CLAUDE, printed);
    expect(finding.severity).toBe(severity);
    expect(finding.fix === undefined).toBe(severity === "ok");
  });

  it("asks for the oldest client that is tested", () => {
    expect(CLAUDE.oldest).toBe(OLDEST);
  });
});
