import { describe, expect, it } from "vitest";
import type { Ran } from "../program/child.ts";
import { some, tryAll } from "./attempts.ts";
import { type Around, type Call, errorOf } from "./calls.ts";
import { type Scene } from "./scene.ts";
import { isHook, scenes, setScene } from "./scenes.ts";
import { makeBase, type Stage } from "./stage.ts";
import { expectInTime, expectWhole, finish, type Versions, versionsOf } from "./survive.ts";

const base = makeBase();

/** What the system may answer to each kind of call: a full or failing disk, missing rights, a network folder. */
const CODES = {
  open: ["ENOSPC", "EROFS", "EACCES", "EMFILE", "EIO", "ENOLCK", "ESTALE", "EEXIST"],
  // `short`: it takes half of the bytes and says so.
  write: ["ENOSPC", "EIO", "EDQUOT", "short"],
  rename: ["EPERM", "EACCES", "ESTALE", "EBUSY"],
  change: ["EPERM", "EROFS", "EBUSY"],
  // Where a network folder says that it could not keep what was written.
  close: ["EIO", "EDQUOT"],
  read: ["ENOENT", "EIO", "EACCES", "EMFILE", "ESTALE"],
} as const;
/** These do not go away by themselves. */
const LASTING = new Set<string>(["ENOSPC", "EROFS", "EIO", "EMFILE", "EDQUOT", "EEXIST"]);

function kindOf({ name, writes }: Call): keyof typeof CODES {
  if (name === "closeSync") return "close";
  if (!writes) return "read";
  if (name === "openSync" || name === "mkdirSync") return "open";
  if (name.startsWith("write") || name.startsWith("copy")) return "write";
  return name === "renameSync" ? "rename" : "change";
}

/** The client's pipes and git are another matter. */
const isDisk = ({ name, on }: Call): boolean =>
  !name.startsWith("spawn") && !(/^(?:read|write)Sync$/.test(name) && Number(on) < 3);

interface Point {
  readonly at: number;
  readonly code: string;
  readonly lasts: boolean;
  readonly call: Call;
  /** Whether the run is still looked for: what cannot be looked up then counts as not there. */
  readonly isSearching: boolean;
}

async function pointsOf(scene: Scene, stage: Stage): Promise<[Point[], Ran]> {
  const points: Point[] = [];
  let at = 0;
  let isSearching = true;
  const ran = await scene.act(stage, (call, proceed) => {
    if (!isDisk(call)) return proceed();
    isSearching &&= call.name !== "readFileSync" || !call.on.endsWith("state.json");
    for (const code of CODES[kindOf(call)]) {
      if (code === "short" && call.name !== "writeSync") continue;
      points.push({ at, code, lasts: false, call, isSearching });
      if (LASTING.has(code)) points.push({ at, code, lasts: true, call, isSearching });
    }
    at++;
    return proceed();
  });
  return [points, ran];
}

/** Fails at one call; if it lasts, at every later one that writes, or that reads, like the first. */
function failAt({ at, code, lasts, call: first }: Point): Around {
  const isFullDisk = code === "ENOSPC" || code === "EDQUOT";
  let count = 0;
  return (call, proceed, half) => {
    if (!isDisk(call)) return proceed();
    const index = count++;
    const isLater = lasts && index > at && call.writes === first.writes;
    // What is open can be closed, what is on a full disk removed, and only what is made can be there already.
    const isSpared =
      call.name === "closeSync" ||
      (isFullDisk && kindOf(call) === "change") ||
      (code === "EEXIST" && call.name !== "openSync");
    if (index !== at && (!isLater || isSpared)) return proceed();
    if (call.name === "existsSync") return false;
    if (code === "ENOENT" && call.quiet) return undefined;
    if (call.name === "closeSync") proceed();
    if (code === "short") return half?.();
    // A full disk takes what fits.
    if (isFullDisk) half?.();
    throw errorOf(code, call);
  };
}

const nameOf = ({ at, code, lasts, call }: Point): string =>
  `${code}${lasts ? " from" : " at"} call ${at}, ${call.name} ${call.on}`;

describe.each(scenes)("$name", (scene) => {
  it("survives every error that a call may return", async () => {
    const ready = await setScene(scene, base);
    const after = ready.copy(base);
    const [points, usual] = await pointsOf(scene, after);
    const versions = versionsOf(scene, ready, after, usual);
    await tryAll(
      { scene: scene.name, way: "error" },
      some(points, scene.git !== undefined ? 4 : 7),
      nameOf,
      (point, i) => bear(scene, ready, point, versions, usual, i % 5 === 0),
    );
  });
});

async function bear(
  scene: Scene,
  ready: Stage,
  point: Point,
  versions: Versions,
  usual: Ran,
  toEnd: boolean,
): Promise<void> {
  const stage = ready.copy(base);
  const ran = await scene.act(stage, failAt(point));
  expectWhole(stage, versions);
  expectInTime(stage, scene);
  if (isHook(scene)) expectLetGo(ran, usual, point, scene);
  else expectAnswer(ran);
  if (toEnd) {
    stage.clock.pass(3000);
    if (ran.code !== 0) await scene.act(stage);
    await finish(stage, scene, { notesApart: true });
  }
  stage.remove();
}

/** The hook exits with 0, answers whole or not at all, and says in a line what is wrong, and in another what it lost. */
function expectLetGo({ code, out, err }: Ran, usual: Ran, point: Point, scene: Scene): void {
  expect(code).toBe(0);
  if (out !== "") expect(() => JSON.parse(out) as unknown).not.toThrow();
  expect(err).toMatch(/^(?:\[ralph-specum\] [^\n]+\n){0,2}$/);
  const isSilent = out === "" && err === "" && usual.out !== "";
  const isStranger =
    scene.passesStrangers === true && !point.call.writes && point.call.on.includes("/smart-ralph/");
  const isToldNext =
    scene.stopTells === true && !point.call.writes && point.call.on.endsWith("-state.json");
  if (isSilent)
    expect(point.isSearching || isStranger || isToldNext || point.code === "ENOENT").toBe(true);
}

/** A command has a documented exit code, and one line that says what is wrong and what to do. */
function expectAnswer({ code, out, err }: Ran): void {
  // 2: what the user typed is in a file of ours that could not be read, so a word is missing.
  expect([0, 1, 2, 3, 4]).toContain(code);
  if (code === 0 || code === 1) return;
  expect(out).toBe("");
  expect(err).toMatch(/^ralph-specum: [^\n]+; [^\n]+\n$/);
}
