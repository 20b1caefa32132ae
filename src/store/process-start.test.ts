import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { isSameProcess, readProcessStart } from "./process-start.ts";

it.skipIf(process.platform === "win32")(
  "tells one process from another, and from none",
  async () => {
    const own = readProcessStart(process.pid);
    expect(own).toMatch(/\S/);
    expect(readProcessStart(process.pid)).toBe(own);
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: "pipe" });
    const pid = child.pid as number;
    const start = readProcessStart(pid);
    expect(start).toMatch(/\S/);
    // The other began seconds earlier, and where the system only tells seconds, at least one.
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

it("goes by the number alone where nothing else is known", () => {
  expect(isSameProcess(process.pid, null)).toBe(true);
});
