import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { isSameProcess, readProcessStart } from "./process-start.ts";

it.skipIf(process.platform === "win32")(
  "tells processes apart, and knows when there is none",
  async () => {
    const own = readProcessStart(process.pid);
    expect(own).toMatch(/\S/);
    expect(readProcessStart(process.pid)).toBe(own);
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: "pipe" });
    const pid = child.pid as number;
    const start = readProcessStart(pid);
    expect(start).toMatch(/\S/);
    // The other process began at least a second earlier, in case the system reports only seconds.
    expect([own === start, isSameProcess(pid, start)]).toEqual([false, true]);
    expect(isSameProcess(pid, own)).toBe(false);
    child.stdin.end();
    await once(child, "exit");
    expect([readProcessStart(pid), isSameProcess(pid, start)]).toEqual([undefined, false]);
  },
);

it.each([0, -1, 1.5, Number.NaN])("is never %d", (pid) => {
  expect([readProcessStart(pid), isSameProcess(pid, "1")]).toEqual([undefined, false]);
});

it("goes by the number alone if the start is unknown", () => {
  expect(isSameProcess(process.pid, null)).toBe(true);
});
