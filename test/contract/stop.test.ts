import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { Edition } from "../../src/layouts/layout.ts";
import { PATH, type Ran, REPOSITORY, startChild } from "../program/child.ts";
import { openPlace } from "../program/support.ts";
import { makeFolder } from "../program/temporary.ts";
import { runWarm } from "../program/warm.ts";
import { CLIENTS, type Variables } from "../support/client-marks.ts";
import { layouts } from "../support/editions.ts";
import { vaultFile } from "../support/vault.ts";
import {
  base,
  type Begin,
  type Expected,
  fillNames,
  groups,
  namesOf,
  type Place,
  readTree,
  type Stop,
  type StopCase,
} from "./stop-cases.ts";

interface Hooks {
  readonly hooks: { readonly Stop: readonly [{ hooks: readonly [{ command: string }] }] };
}

/** The very command line that the client runs, or one of somebody else's hook. */
function commandOf({ plugin }: Edition): string {
  if (OTHERS !== "") return OTHERS;
  const file = join(REPOSITORY, "plugins", plugin, "hooks/hooks.json");
  return (JSON.parse(readFileSync(file, "utf8")) as Hooks).hooks.Stop[0].hooks[0].command;
}

function makePlace(): Place {
  const home = makeFolder();
  const place = { root: join(home, "project"), outside: join(home, "outside") };
  for (const folder of Object.values(place)) mkdirSync(folder);
  return place;
}

function writeFiles(layout: Edition, place: Place, { files = {}, ages = {} }: Stop): void {
  for (const [name, content] of Object.entries(files)) {
    const path = resolve(place.root, name);
    if (content === null || typeof content === "object")
      rmSync(path, { recursive: true, force: true });
    if (content === null) continue;
    mkdirSync(name.endsWith("/") ? path : dirname(path), { recursive: true });
    if (typeof content === "object") symlinkSync(content.link, path);
    else if (!name.endsWith("/")) writeFileSync(path, content);
    if (typeof content === "string" && name.endsWith("/.inbox.json"))
      keepInbox(layout, place, path);
  }
  for (const [name, seconds] of Object.entries(ages)) {
    const time = Date.now() / 1000 - seconds;
    utimesSync(resolve(place.root, name), time, time);
  }
}

/** What the user was asked counts in their own folder: in the project is only a copy. */
function keepInbox(layout: Edition, place: Place, path: string): void {
  const folder = realpathSync(dirname(path));
  const kept = vaultFile(dirname(place.root), layout, folder, "inbox");
  mkdirSync(dirname(kept), { recursive: true });
  copyFileSync(path, kept);
}

function stdinOf({ stdin, event = {}, without = [] }: Stop, known: object): string {
  if (stdin !== undefined) return stdin;
  const fields = Object.entries({ ...known, ...event }).filter(([name]) => !without.includes(name));
  return JSON.stringify(Object.fromEntries(fields));
}

const OTHERS = process.env["STOP_HOOK_COMMAND"] ?? "";

/** Whether the shell in front of the hook only starts it. */
const isUsual = ({ env = {} }: Stop): boolean => OTHERS === "" && !("PATH" in env);

/** The first layout is tried as in the client of today, the others as in one that sets nothing for its hooks. */
const marksOf = (layout: Edition): Variables =>
  layout === layouts[0] && OTHERS === "" ? CLIENTS.claude.hook : {};

/** The user's command, without which our hook continues nothing. */
function begin(layout: Edition, place: Place, { type = ["implement"], session }: Begin): void {
  const { root } = place;
  const user = openPlace(layout, root, join(root, layout.specsDirs[0], "demo"), dirname(root));
  const env = marksOf(layout);
  const { code, out, err } = session === null ? user.run(type) : user.slash(type, session, { env });
  expect(code, `${out}${err}`).toBe(0);
}

async function runHook(
  layout: Edition,
  place: Place,
  stop: Stop,
  known: typeof base,
): Promise<Ran> {
  const root = join(REPOSITORY, "plugins", layout.plugin);
  const options = {
    cwd: stop.cwd ?? place.root,
    input: stdinOf(stop, known.event),
    env: {
      PATH,
      HOME: dirname(place.root),
      CLAUDE_PLUGIN_ROOT: root,
      STOP_HOOK_LAYOUT: layout.id,
      ...marksOf(layout),
      ...known.env,
      ...stop.env,
    },
  };
  // The command line is tried with the first layout; the others have the same but for names.
  const isSame = layout !== layouts[0] && isUsual(stop);
  const request = { file: join(root, "dist", "hook.cjs"), args: [layout.id, "stop"], ...options };
  return (
    (isSame ? runWarm(request) : undefined) ??
    startChild("/bin/sh", ["-c", commandOf(layout)], options)
  );
}

function expectWords(text: string, words: Expected["reason"], where: string): void {
  if (words === undefined) return;
  for (const part of words.contains ?? []) expect(text, where).toContain(part);
  for (const part of words.lacks ?? []) expect(text, where).not.toContain(part);
  for (const pattern of words.matches ?? []) expect(text, where).toMatch(new RegExp(pattern));
  if (words.empty === true) expect(text, where).toBe("");
}

type Answer = Readonly<Partial<Record<"decision" | "reason" | "systemMessage", string>>>;

/** Newer clients continue by another word, which does not look like an error to the user. */
function parseAnswer(out: string): Answer {
  const { hookSpecificOutput: more, ...answer } = JSON.parse(out || "{}") as Answer & {
    hookSpecificOutput?: { hookEventName: string; additionalContext: string };
  };
  if (more === undefined) return answer;
  expect(more.hookEventName).toBe("Stop");
  return { ...answer, decision: "block", reason: more.additionalContext };
}

/** What is true of every answer, whatever the case. */
function readAnswer({ plugin }: Edition, { code, out, err }: Ran): Answer {
  expect(code, "exit code").toBe(0);
  const line = new RegExp(`^\\[${plugin}\\] [^\\u0000-\\u001f]+$`);
  for (const one of err.split("\n").slice(0, -1)) expect(one, "stderr").toMatch(line);
  const answer = parseAnswer(out);
  expect(["decision", "reason", "systemMessage"]).toEqual(
    expect.arrayContaining(Object.keys(answer)),
  );
  expect(answer.decision ?? "block").toBe("block");
  expect(answer.reason === undefined, "a reason goes with a block").toBe(
    answer.decision === undefined,
  );
  if (answer.decision !== undefined) expect(answer.systemMessage).toBeTruthy();
  expect(answer.reason ?? "", "reason").not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
  expect(answer.systemMessage ?? "", "systemMessage").not.toMatch(/[\u0000-\u001f]/);
  return answer;
}

type Tree = ReturnType<typeof readTree>;

function expectFiles(place: Place, files: Expected["files"], before: Tree): void {
  for (const [name, wish] of Object.entries(files ?? {})) {
    const path = resolve(place.root, name);
    expect(existsSync(path), `${name} exists`).toBe(wish !== "absent");
    if (wish === "exists" || wish === "absent") continue;
    const text = readFileSync(path, "utf8");
    if (wish === "unchanged") expect(text, name).toBe(before[path]);
    else if ("json" in wish) expect(JSON.parse(text), name).toMatchObject(wish.json);
    else expectWords(text, wish, name);
  }
}

async function expectStop(
  layout: Edition,
  place: Place,
  stop: Stop,
  known: typeof base,
): Promise<void> {
  const home = dirname(place.root);
  for (let i = 0; i < (stop.repeat ?? 1); i++) {
    const before = readTree(home);
    const ran = await runHook(layout, place, stop, known);
    const answer = readAnswer(layout, ran);
    const { decision, silent, files } = stop.expect;
    if (silent === true) expect({ out: ran.out, err: ran.err }).toEqual({ out: "", err: "" });
    if (silent === true) expect(readTree(home), "nothing is written").toEqual(before);
    if (decision !== undefined) expect(answer.decision ?? "allow", ran.err).toBe(decision);
    expectWords(ran.out, stop.expect.stdout, "stdout");
    expectWords(ran.err, stop.expect.stderr, "stderr");
    expectWords(answer.reason ?? "", stop.expect.reason, "reason");
    expectWords(answer.systemMessage ?? "", stop.expect.systemMessage, "systemMessage");
    expectFiles(place, files, before);
    const left = Object.keys(readTree(home)).filter((path) => /\.tmp$|[-.]lock/.test(path));
    expect(left, "nothing half-written is left behind").toEqual([]);
  }
}

/** The fields that a case names over those of the file, or of the base if it has none; null takes one out. */
function writeState(path: string, known: typeof base, fields: Stop["state"] = {}): void {
  let now = known.state;
  try {
    now = JSON.parse(readFileSync(path, "utf8")) as typeof now;
  } catch {
    // There is none, or it is broken.
  }
  const all = Object.entries({ ...now, ...fields }).filter(([, value]) => value !== null);
  writeFileSync(path, JSON.stringify(Object.fromEntries(all)));
}

async function runCase(layout: Edition, one: StopCase): Promise<void> {
  const place = makePlace();
  const names = namesOf(layout, place);
  const known = fillNames(base, names);
  const { then = [], begin: begun = {}, ...first } = fillNames(one, names);
  const state = join(place.root, `${names["spec"]}/${names["state"]}`);
  writeFiles(layout, place, { files: { ...known.files, ...begun?.files }, expect: {} });
  writeState(state, known, begun?.state);
  if (begun !== null && OTHERS === "") begin(layout, place, begun);
  for (const stop of [first, ...then]) {
    if (stop.state !== undefined) writeState(state, known, stop.state);
    writeFiles(layout, place, stop);
    await expectStop(layout, place, stop, known);
  }
}

describe.each(layouts)("stop contract, $id", (layout) => {
  describe.each(groups)("%s", (_, cases) => {
    const own = cases.filter((one) => one.layouts?.includes(layout.id) ?? true);
    it.concurrent.each(own.map((one) => [one.name, one] as const))("%s", async (__, one) => {
      await runCase(layout, one);
    });
  });
});

it("each case has a unique name and says why", () => {
  for (const [group, cases] of groups) {
    expect(new Set(cases.map(({ name }) => name)).size, group).toBe(cases.length);
    for (const { name, why } of cases) expect(why, name).toMatch(/^[A-Z].*\.\)?$/);
  }
});
