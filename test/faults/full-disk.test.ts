import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PATH } from "../program/child.ts";
import { specum } from "../support/editions.ts";
import { vaultFile } from "../support/vault.ts";
import { type Scene } from "./scene.ts";
import { scenes, setScene } from "./scenes.ts";
import { DIST, makeBase } from "./stage.ts";

const base = makeBase();

/** A name space of our own, in which anybody may mount; what is mounted there goes with its last process. */
const canMount =
  spawnSync("unshare", ["-rm", "sh", "-c", "mount -t tmpfs -o size=64k none /tmp"]).status === 0;

/**
 * The whole home of a user, the project in it, on a disk of 512 kB: fill it, let hook and command run, free it, let them
 * run again. What each said is kept.
 */
const SCRIPT = `
cp -R "$HOME/." "$COPY" && mount -t tmpfs -o size=512k,mode=755 none "$HOME" || exit 1
cp -R "$COPY/." "$HOME" && cd "$HOME/project" || exit 1
run() {
  name=$1; shift
  "$NODE" "$@" <"$OUT/input" >"$OUT/$name.out" 2>"$OUT/$name.err"
  echo $? >"$OUT/$name.code"
}
both() {
  run "$1-stop" "$DIST/hook.cjs" specum stop
  run "$1-done" "$DIST/cli.cjs" --layout=specum done 1.1 --report TASK_COMPLETE
}
dd if=/dev/zero of=filler bs=4k 2>/dev/null
both full
ls -A specs/demo >"$OUT/names"
cp specs/demo/tasks.md "$OUT"
rm filler
both free
cp specs/demo/.ralph-journal.jsonl "$OUT/journal"
cp "$KEPT" "$OUT/kept"
`;

it.skipIf(!canMount)("a disk that is really full stops nobody, and breaks nothing", async () => {
  const ready = await setScene(scenes[0] as Scene, base);
  const out = join(base, "out");
  const copy = join(base, "copy");
  for (const folder of [out, copy]) mkdirSync(folder);
  writeFileSync(join(out, "input"), ready.inputOf({}));
  const kept = vaultFile(ready.home, specum, ready.folder, "journal");
  const places = { COPY: copy, OUT: out, KEPT: kept, NODE: process.execPath, DIST };
  const { status, stderr } = spawnSync("unshare", ["-rm", "sh", "-c", SCRIPT], {
    env: { ...ready.env, PATH, ...places },
    timeout: 60_000,
  });
  expect(status, String(stderr)).toBe(0);
  const said = (name: string): string => readFileSync(join(out, name), "utf8");

  expect(said("full-stop.code")).toBe("0\n");
  expect(Object.keys(JSON.parse(said("full-stop.out")) as object)).toEqual(["systemMessage"]);
  expect(said("full-stop.err")).toMatch(
    /^\[ralph-specum\] \/[^\n]*\.ralph-lock cannot be used: the disk is full[^\n]*\n$/,
  );
  expect(said("full-done.code")).toBe("4\n");
  expect(said("full-done.err")).toMatch(
    /^ralph-specum: \/[^\n]*\.ralph-lock cannot be used: the disk is full; fix that[^\n]*\n$/,
  );
  expect(said("tasks.md")).toBe(ready.tasks);
  expect(said("names").trim().split("\n")).toEqual(ready.names());

  expect(said("free-stop.out")).toContain('"decision":"block"');
  expect(said("free-done.code")).toBe("0\n");
  expect(said("kept")).toBe(said("journal"));
  for (const line of said("kept").trimEnd().split("\n")) JSON.parse(line);
});
