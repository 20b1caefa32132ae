import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { specum } from "../../test/support/editions.ts";
import { EMPTY_INBOX, type Inbox } from "../run/inbox.ts";
import { inboxPath, readInbox, writeInbox } from "./inbox.ts";
import { openProject } from "./project.ts";
import { type Spec, specAt } from "./spec.ts";
import { copyInVault, renameInVault } from "./vault-copy.ts";
import { forgetSpec } from "./vault.ts";

const AT = "2026-01-01T00:00:00.000Z";
const asked: Inbox = {
  entries: [{ id: 1, kind: "question", task: "1.1", text: "Which?", options: [], askedAt: AT }],
};

let home = "";
const specNamed = (name: string): Spec => {
  mkdirSync(join(home, "project/specs", name), { recursive: true });
  const project = openProject(specum, join(home, "project"));
  return specAt(project, join(project.root, "specs", name));
};

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "smart-ralph-inbox-")));
  vi.stubEnv("HOME", home);
  vi.stubEnv("XDG_STATE_HOME", "");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

it("is kept in the vault, with a copy for people that does not count", () => {
  const spec = specNamed("demo");
  writeFileSync(spec.inbox, JSON.stringify(asked));
  expect(readInbox(spec)).toEqual(EMPTY_INBOX);
  writeInbox(spec, asked);
  expect(readFileSync(spec.inbox, "utf8")).toBe(readFileSync(inboxPath(spec), "utf8"));
  writeFileSync(spec.inbox, "{");
  expect(readInbox(spec)).toEqual(asked);
});

it("is the project's file if there is no vault", () => {
  vi.stubEnv("HOME", "");
  const spec = specNamed("demo");
  writeInbox(spec, asked);
  expect(inboxPath(spec)).toBe(spec.inbox);
  expect(readInbox(spec)).toEqual(asked);
});

it("follows the spec to another tree and another name, and is removed with it", () => {
  const spec = specNamed("demo");
  const there = specNamed("there");
  writeInbox(spec, asked);
  copyInVault(spec, there);
  expect(readInbox(there)).toEqual(asked);
  renameInVault(spec, "new", () => renameSync(spec.folder, join(spec.folder, "../new")));
  expect(readInbox(specNamed("new"))).toEqual(asked);
  expect(existsSync(inboxPath(spec))).toBe(false);
  forgetSpec(there);
  expect(readInbox(there)).toEqual(EMPTY_INBOX);
});
