import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { openAwake } from "./awake.ts";

const until = async (is: () => boolean): Promise<void> => {
  for (let look = 0; look < 250 && !is(); look++) await delay(20);
  expect(is()).toBe(true);
};

/** A folder for the PATH. The program writes down its process and how it is called. */
function fake(name: string, then = "exec cat"): string {
  const folder = mkdtempSync(join(tmpdir(), "awake-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\necho $$ "$@" >> ${folder}/called\n${then}\n`);
  chmodSync(path, 0o755);
  return folder;
}
const envOf = (folder: string) => ({ PATH: `${folder}:/usr/bin:/bin` });
const callsIn = (folder: string): string[] =>
  existsSync(join(folder, "called"))
    ? readFileSync(join(folder, "called"), "utf8").trim().split("\n")
    : [];

function isAlive(call = ""): boolean {
  try {
    return process.kill(Number.parseInt(call), 0);
  } catch {
    return false;
  }
}

it.each([
  ["systemd-inhibit", /--what=idle:sleep .*--mode=block cat$/],
  ["caffeinate", new RegExp(`-w ${process.pid}$`)],
])("%s is held while somebody works, once for all", async (name, args) => {
  const folder = fake(name);
  const { during, rest } = openAwake(true, envOf(folder));
  const calls = (): string[] => callsIn(folder);
  await during(() =>
    during(async () => {
      await until(() => calls().length === 1);
      await rest(async () => {
        expect(isAlive(calls()[0])).toBe(true);
        await rest(() => until(() => !isAlive(calls()[0])));
      });
      await until(() => calls().length === 2);
    }),
  );
  await until(() => !isAlive(calls()[1]));
  expect(calls()).toEqual([expect.stringMatching(args), expect.stringMatching(args)]);
});

it("is not held if it is off, and one that is missing or fails is no problem", async () => {
  const off = fake("systemd-inhibit");
  expect(await openAwake(false, envOf(off)).during(() => delay(300, "done"))).toBe("done");
  expect(callsIn(off)).toEqual([]);
  const broken = fake("systemd-inhibit", "exit 1");
  expect(await openAwake(true, envOf(broken)).during(() => delay(300, "done"))).toBe("done");
  expect(await openAwake(true, { PATH: "/nowhere" }).during(async () => "done")).toBe("done");
});
