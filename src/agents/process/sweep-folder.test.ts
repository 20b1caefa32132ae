import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { type LocatedProcess, pickInside, readTicks, sweepFolder } from "./sweep-folder.ts";

const one = (more: Partial<LocatedProcess>): LocatedProcess => ({
  pid: 50,
  parent: 1,
  began: 20,
  hasTerminal: false,
  folder: "/tree/below",
  ...more,
});

describe("a process in one of the run's trees", () => {
  it.each<[string, Partial<LocatedProcess>, number]>([
    ["is ended, whatever its environment says", {}, 1],
    ["is ended in the folder itself", { folder: "/tree" }, 1],
    ["is spared in another folder whose name begins the same", { folder: "/tree2" }, 0],
    ["is spared if it was there before", { began: 9 }, 0],
    ["is spared at a terminal", { hasTerminal: true }, 0],
    ["is spared as our own child", { parent: 40 }, 0],
  ])("%s", (_, more, count) => {
    const all = [one(more), one({ pid: 40, parent: 1, folder: "/", began: 1 })];
    expect(pickInside(all, "/tree", 10, 40)).toHaveLength(count);
  });

  it.runIf(process.platform === "linux")("is really ended", async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "standing-")));
    mkdirSync(join(folder, "in"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const since = readTicks();
    // Forked twice, so that it is not our child, in its own session and with an empty environment.
    const line = "(cd in && exec env -i setsid sleep 300) >/dev/null 2>&1 &";
    await new Promise((resolve) =>
      spawn("/bin/sh", ["-c", line], { cwd: folder, stdio: "ignore" }).once("exit", resolve),
    );
    let count = 0;
    for (let look = 0; look < 200 && count === 0; look++) {
      count = sweepFolder(folder, since);
      await delay(25);
    }
    expect(count).toBe(1);
    expect(sweepFolder(folder, since)).toBe(0);
  });
});
