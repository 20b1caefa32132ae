import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { leaseFile } from "../store/lease.ts";
import { readProcessStart } from "../store/process-start.ts";
import { claimLease, type Lease, thisWorker } from "./claim-lease.ts";

const FOLDER = "/a/b";

function open() {
  const vault = mkdtempSync(join(tmpdir(), "vault-"));
  const claim = (run: string): Lease => {
    const lease = claimLease(vault, FOLDER, thisWorker(run));
    if ("takenBy" in lease) throw new Error(`taken by ${lease.takenBy.run}`);
    return lease;
  };
  return { vault, claim };
}

/** Edits the lease's file, as another process would. */
function forge(vault: string, change: object): void {
  const path = leaseFile(vault, FOLDER);
  const lease = JSON.parse(readFileSync(path, "utf8")) as object;
  writeFileSync(path, JSON.stringify({ ...lease, ...change }));
}

describe("a spec", () => {
  it("belongs to one process at a time, and a second one is told who has it", () => {
    const { claim } = open();
    claim("first");
    expect(() => claim("second")).toThrow("taken by first");
  });

  it("can be claimed again once it is released, with a higher fence", () => {
    const { claim } = open();
    const first = claim("first");
    first.release();
    expect(claim("second").fence).toBeGreaterThan(first.fence);
  });

  it("of a dead process is free, even if its pid is in use again", () => {
    const { vault, claim } = open();
    const { pid } = spawnSync(process.execPath, ["--version"]);
    const first = claim("first");
    forge(vault, { worker: { ...thisWorker("first"), pid, processStart: "1" } });
    const second = claim("second");
    expect(second.fence).toBeGreaterThan(first.fence);
    forge(vault, { worker: { ...thisWorker("second"), processStart: "1" } });
    expect(claim("third").fence).toBeGreaterThan(second.fence);
  });

  it("of another live process is not free", () => {
    const { vault, claim } = open();
    const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], {
      stdio: "ignore",
    });
    try {
      claim("first");
      const pid = child.pid as number;
      const processStart = readProcessStart(pid) ?? null;
      forge(vault, { worker: { ...thisWorker("first"), pid, processStart } });
      expect(() => claim("second")).toThrow("taken by first");
    } finally {
      child.kill("SIGKILL");
    }
  });

  it("of another machine is free after a long silence", () => {
    const { vault, claim } = open();
    claim("first");
    const worker = { ...thisWorker("first"), machine: "elsewhere" };
    forge(vault, { worker, beat: new Date().toISOString() });
    expect(() => claim("second")).toThrow("taken by first");
    forge(vault, { worker, beat: new Date(Date.now() - 600_000).toISOString() });
    expect(claim("second").fence).toBe(2);
  });

  it("whose file is broken is free", () => {
    const { vault, claim } = open();
    claim("first").release();
    writeFileSync(leaseFile(vault, FOLDER), "{ half");
    expect(claim("second").fence).toBe(1);
  });

  it("is free if the version before left only a lease of one of its tasks", () => {
    const { vault, claim } = open();
    const path = join(dirname(leaseFile(vault, FOLDER)), "task.json");
    mkdirSync(dirname(path), { recursive: true });
    const left = { unit: `spec ${FOLDER}#1.1`, fence: 3, worker: thisWorker("old"), beat: "" };
    writeFileSync(path, JSON.stringify(left));
    expect(claim("new").fence).toBe(1);
  });
});

it("whoever lost a spec is told so, and does not release it for the next one", () => {
  const { vault, claim } = open();
  const slow = claim("slow");
  forge(vault, { worker: null });
  const quick = claim("quick");
  expect(slow.beat()).toBe(false);
  slow.release();
  expect(quick.beat()).toBe(true);
  expect(() => claim("third")).toThrow("taken by quick");
});

it("a lease that is gone is lost", () => {
  const { vault, claim } = open();
  const lease = claim("first");
  writeFileSync(leaseFile(vault, FOLDER), "");
  expect(lease.beat()).toBe(false);
});
