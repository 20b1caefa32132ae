import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { specum } from "../support/editions.ts";
import { endOf, REPOSITORY } from "./child.ts";
import { expectRefused, placeWith, report, tickByHand } from "./claims.ts";

const layout = specum;

describe("done refuses", () => {
  it.each([
    ["without the signal", "All fine.", /^The report on 1\.1 does not say TASK_COMPLETE on a line/],
    [
      "a report that contradicts itself",
      "This requires manual testing.\nTASK_COMPLETE",
      /^The report on 1\.1 claims completion but says "requires manual": finish/,
    ],
  ])("%s, and runs nothing", (_, text, says) => {
    const place = placeWith(layout, "`touch ran.txt`", "verify_before: false");
    expectRefused(place, says, text);
    expect(existsSync(join(place.root, "ran.txt"))).toBe(false);
  });

  it("a Verify that fails, with what it said; then it passes, and the box is ticked", () => {
    const place = placeWith(layout, "`cat made.txt`");
    expectRefused(
      place,
      /^1\.1 is not done: its Verify `cat made\.txt` failed with exit code 1\. Output: cat: .*No such file.* Fix the cause, then report again\.$/m,
    );
    writeFileSync(join(place.root, "made.txt"), "here\n");
    const { code, out } = place.run(["done", "1.1", "--report", "TASK_COMPLETE"]);
    expect(out).toMatch(
      /^1\.1 is done \(`cat made\.txt` passed(?: in \d\.\d s)?\), 1 of 2\. Next is 1\.2; end your turn to get it\.\n$/,
    );
    expect(code).toBe(0);
    expect(place.tasks()).toContain("- [x] 1.1 ");
    expect(place.entries().at(-1)?.evidence).toEqual([
      expect.objectContaining({
        command: "cat made.txt",
        exitCode: 0,
        outcome: "passed",
        tail: "here",
      }),
    ]);
  });

  it("a box that the executor ticked itself, and clears it", () => {
    const place = placeWith(layout, "`false`");
    tickByHand(place, "1.1");
    expectRefused(place, /failed with exit code 1/);
  });

  it("while boxes are ticked that nobody reported, and names them", () => {
    const place = placeWith(layout, "`true`");
    tickByHand(place, "1.2");
    expectRefused(place, /^Other boxes are ticked that nobody reported: 1\.2\. Untick/);
  });
});

describe("a Verify", () => {
  it("that hangs is ended with its children, and this is said", async () => {
    const place = placeWith(
      specum,
      "`(sleep 4; touch late.txt) & echo started; sleep 600`",
      "verify_timeout: 1",
    );
    expectRefused(place, /took longer than 1 s and was killed\. Output: started\.$/m);
    await sleep(4000);
    expect(existsSync(join(place.root, "late.txt"))).toBe(false);
    expect(report(place)["evidence"]).toMatchObject([{ outcome: "timed-out", exitCode: null }]);
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "does not outlive a program that gets %s",
    async (signal) => {
      const place = placeWith(
        specum,
        "`touch began.txt; (sleep 1; touch late.txt) & wait`",
        "verify_before: false",
      );
      const cli = join(REPOSITORY, "plugins", specum.plugin, "dist/cli.cjs");
      const args = [cli, "--layout=specum", "done", "1.1", "--report", "TASK_COMPLETE"];
      const child = spawn(process.execPath, args, { cwd: place.root, env: place.env });
      const ended = endOf(child);
      await vi.waitFor(() => expect(existsSync(join(place.root, "began.txt"))).toBe(true), 10_000);
      child.kill(signal);
      expect(await ended).toBe(1);
      await sleep(1500);
      expect(existsSync(join(place.root, "late.txt"))).toBe(false);
      expect(place.entries().at(-1)?.event).toBe("start");
    },
  );

  it("that names a missing tool", () => {
    const place = placeWith(specum, "`no-such-tool --all`");
    expectRefused(place, /uses a command that is not installed\. Output: .*not found/);
  });

  it("that is prose is said to be so, and the claim accepted", () => {
    const place = placeWith(specum, "Look at the page and see that it is fine");
    const note = "its Verify cannot be run: it is not a command";
    expect(report(place)).toMatchObject({ code: 0, ok: true, evidence: [], notes: [note] });
    expect(place.json(["evidence", "1.1"])["tasks"]).toMatchObject([{ done: true, note }]);
  });

  it("of several commands stops at the first that fails", () => {
    const place = placeWith(specum, "`echo one`, `exit 3` and `touch three.txt`");
    expectRefused(place, /its Verify `exit 3` failed with exit code 3/);
    expect(place.entries().at(-1)?.evidence).toMatchObject([
      { outcome: "passed" },
      { outcome: "failed" },
    ]);
    expect(existsSync(join(place.root, "three.txt"))).toBe(false);
  });

  it("runs in the project, wherever the agent is, and cannot control a terminal", () => {
    const place = placeWith(specum, "`pwd; printf '\\033[31mred\\033[0m\\007'; exit 1`");
    const { out } = place.run(["done", "1.1", "--report", "TASK_COMPLETE"], { cwd: place.folder });
    expect(out).toContain("Output: red. ");
    expect(out).not.toContain("\u001b");
    expect(place.entries().at(-1)?.evidence?.[0]?.tail).toBe(`${place.root}\nred`);
  });

  it("cannot hide the loop's record behind its output", () => {
    const noisy = "`head -c 9000 /dev/zero | tr '\\0' '\"'`, ";
    const place = placeWith(specum, `${noisy.repeat(20)}\`false\``);
    expectRefused(place, /its Verify `false` failed/);
    expect(place.stop()).toMatchObject({ decision: "block" });
    const runs = new Set(place.entries().map(({ loop }) => loop.run));
    expect(runs.size).toBe(1);
  });
});
