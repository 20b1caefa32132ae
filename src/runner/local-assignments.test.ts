import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { leaseFile } from "../store/lease.ts";
import { readProcessStart } from "../store/process-start.ts";
import type { Assignment } from "./assignments.ts";
import { localAssignments, thisWorker } from "./local-assignments.ts";

const UNIT = "spec /a/b";

function open() {
  const vault = mkdtempSync(join(tmpdir(), "vault-"));
  const assignments = localAssignments(vault);
  const claim = async (run: string): Promise<Assignment> => {
    const claimed = await assignments.claim(UNIT, thisWorker(run));
    if (claimed.kind !== "assigned") throw new Error(`taken by ${claimed.by.run}`);
    return claimed.assignment;
  };
  return { vault, ...assignments, claim };
}

/** Edits the lease's file, as another worker would. */
function forge(vault: string, change: (lease: Record<string, unknown>) => object): void {
  const path = leaseFile(vault, UNIT);
  const lease = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  writeFileSync(path, JSON.stringify({ ...lease, ...change(lease) }));
}

describe("a unit", () => {
  it("belongs to one worker at a time, and a second one is told who has it", async () => {
    const { claim } = open();
    await claim("first");
    await expect(claim("second")).rejects.toThrow("taken by first");
  });

  it("can be claimed again once it is released, with a higher fence", async () => {
    const { claim, release } = open();
    const first = await claim("first");
    await release(first);
    expect((await claim("second")).fence).toBeGreaterThan(first.fence);
  });

  it("of a dead process is free, even if its pid is in use again", async () => {
    const { vault, claim } = open();
    const { pid } = spawnSync(process.execPath, ["--version"]);
    const first = await claim("first");
    forge(vault, () => ({ worker: { ...thisWorker("first"), pid, processStart: "1" } }));
    const second = await claim("second");
    expect(second.fence).toBeGreaterThan(first.fence);
    forge(vault, () => ({ worker: { ...thisWorker("second"), processStart: "1" } }));
    expect((await claim("third")).fence).toBeGreaterThan(second.fence);
  });

  it("of another live process is not free", async () => {
    const { vault, claim } = open();
    const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], {
      stdio: "ignore",
    });
    try {
      await claim("first");
      const pid = child.pid as number;
      const processStart = readProcessStart(pid) ?? null;
      forge(vault, () => ({ worker: { ...thisWorker("first"), pid, processStart } }));
      await expect(claim("second")).rejects.toThrow("taken by first");
    } finally {
      child.kill("SIGKILL");
    }
  });

  it("of another machine is free after a long silence", async () => {
    const { vault, claim } = open();
    await claim("first");
    const worker = { ...thisWorker("first"), machine: "elsewhere" };
    forge(vault, () => ({ worker, beat: new Date().toISOString() }));
    await expect(claim("second")).rejects.toThrow("taken by first");
    forge(vault, () => ({ worker, beat: new Date(Date.now() - 600_000).toISOString() }));
    expect((await claim("second")).fence).toBe(2);
  });

  it("whose file is broken is free", async () => {
    const { vault, claim, release } = open();
    await release(await claim("first"));
    writeFileSync(leaseFile(vault, UNIT), "{ half");
    await expect(claim("second")).resolves.toMatchObject({ unit: UNIT });
  });
});

describe("a worker that lost its unit", () => {
  it("writes nothing, is told so, and does not release it for the next one", async () => {
    const { vault, claim, commit, heartbeat, release } = open();
    const slow = await claim("slow");
    forge(vault, () => ({ worker: null }));
    const quick = await claim("quick");
    const written: string[] = [];
    const write = (name: string) => async () => written.push(name);
    expect(await commit(slow, write("slow"))).toBeUndefined();
    expect(await heartbeat(slow)).toBe(false);
    await release(slow);
    expect(await heartbeat(quick)).toBe(true);
    expect(await commit(quick, write("quick"))).toEqual({ value: 1 });
    expect(written).toEqual(["quick"]);
  });
});

it("of many workers that claim a unit at once, one gets it", async () => {
  const { claim } = open();
  const all = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => claim(`run ${i}`)));
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});
