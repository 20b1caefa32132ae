import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { ordersFor } from "./agents.ts";
import { end, placeWith, report } from "./claims.ts";
import { expectRefusal, IN_SESSION, type Place, startPlace } from "./support.ts";

const layout = specum;

const triesOf = (place: Place) => place.entries().filter(({ event }) => event === "before");
const progress = (place: Place): string => readFileSync(join(place.folder, ".progress.md"), "utf8");

describe("a Verify is tried before the work", () => {
  it("once, when its task is first handed out, and the receipt says how it ended", () => {
    const place = placeWith(layout, "`test -f made`");
    expect(triesOf(place)).toMatchObject([{ task: "1.1", evidence: [{ exitCode: 1 }] }]);
    place.slash(["resume"]);
    place.stop();
    expect(triesOf(place)).toHaveLength(1);
    writeFileSync(join(place.root, "made"), "");
    report(place);
    const { out } = place.run(["evidence", "1.1"]);
    expect(out).toContain("before: exit 1 → after: exit 0");
    expect(out).toMatch(/^\d\d:\d\d:\d\d {2}before the work: exit 1$/m);
    report(place, "TASK_COMPLETE", "1.2");
    expect(progress(place)).toContain("| `test -f made` | failed | passed | no git |");
  });

  it("and proves little if it passes then: the hand-out and trace say so", () => {
    const place = placeWith(layout, "`test -d .`");
    expect(place.run(["next"]).out).toContain("Its Verify passed before the work began");
    report(place);
    const why = "without git, no commit says what was checked";
    expect(place.run(["trace"]).out).toContain(`1.1 checked: ${why}`);
    expect(place.run(["evidence"]).out).toContain("before: exit 0 → after: exit 0");
  });

  it.each([
    ["an option that does not exist", "grep --no-such-option x a", /unrecognized option/],
    ["a program that is not there", "no-such-tool --all", /not found/],
    ["a syntax error", "test -f 'a", /[Uu]nterminated quoted string|unexpected EOF|Syntax error/],
  ])("and %s is told before an attempt is spent, with the way to fix it", (_, command, says) => {
    const place = placeWith(layout, `\`${command}\``);
    expect(place.run(["next"]).out).toMatch(says);
    // The coordinator can replace it, and the agent can ask for that.
    const { reason } = place.stop();
    expect(reason).toContain(
      `\`${layout.plugin} amend 1.1 --verify '…' --reason '…'\` replaces it`,
    );
    expect(reason).toMatch(says);
    const orders = ordersFor(place, "1.1");
    expect(orders).toContain("Its Verify cannot run");
    expect(orders).toContain("report VERIFY_WRONG");
    expect(orders).toMatch(says);
  });

  it.each([
    ["a [VERIFY] task", "- [ ] 1.1 [VERIFY] All\n  - **Verify**: `touch ran`\n- [ ] 1.2 b\n", ""],
    ["a switch in the settings", "", "verify_before: false"],
    ["evidence that is off", "", "evidence: off"],
    ["a list of what may run", "", "verify_allow: [npm test]"],
  ])("but not with %s", (_, tasks, settings) => {
    const place =
      tasks === ""
        ? placeWith(layout, "`touch ran`", settings)
        : startPlace(layout, { [`${layout.specsDirs[0]}/demo/tasks.md`]: tasks });
    expect(triesOf(place)).toEqual([]);
    expect(existsSync(join(place.root, "ran"))).toBe(false);
  });

  it("but not if its user has not agreed to it", () => {
    const place = placeWith(layout, "`test -f made`");
    writeFileSync(join(place.root, "made"), "");
    const tasks = place
      .tasks()
      .replace("1.2 Second\n", "1.2 Second\n  - **Verify**: `touch ran`\n");
    writeFileSync(join(place.folder, "tasks.md"), tasks);
    expect(report(place)).toMatchObject({ ok: true });
    place.stop();
    expect(existsSync(join(place.root, "ran"))).toBe(false);
  });
});

describe("the reason of a failure", () => {
  const VERIFY = "`sh -c 'echo one; echo Error: two is not three; echo last; test -f made'`";

  it("goes to the next agent, with what the Verify printed", () => {
    const place = placeWith(specum, VERIFY);
    expect(report(place)).toMatchObject({ ok: false });
    place.run(["fail", "1.1", "--reason", "the sum is wrong"]);
    expect(place.stop().reason).toContain("(attempt 2 of 5; last: the sum is wrong)");
    const orders = ordersFor(place, "1.1");
    expect(orders).toContain("Attempt 2 of 5.");
    expect(orders).toContain("> the sum is wrong");
    for (const line of ["one", "Error: two is not three", "last"])
      expect(orders).toContain(`> ${line}`);
    writeFileSync(join(place.root, "made"), "");
    report(place);
    expect(place.entries().at(-1)?.loop.lastError).toBeNull();
    expect(place.stop().reason).not.toContain("the sum is wrong");
    expect(ordersFor(place, "1.2")).not.toContain("the sum is wrong");
  });

  it("goes to the sub-agent that is sent back, and is kept for evidence", () => {
    const place = placeWith(specum, VERIFY);
    end(place);
    const { out } = place.run(["evidence", "1.1"]);
    expect(out).toMatch(/^\d\d:\d\d:\d\d {2}refused: 1\.1 is not done: .*failed with exit code 1/m);
    expect(out).toContain("    Error: two is not three");
    expect(place.json(["evidence", "1.1"])["attempts"]).toMatchObject([
      { event: "before" },
      { event: "refused", evidence: [{ exitCode: 1 }] },
    ]);
  });
});

describe("amend", () => {
  const amend = (place: Place, command: string, reason = "there is no such option") =>
    place.json(["amend", "1.1", "--verify", command, "--reason", reason], IN_SESSION);
  const BROKEN = "`test --no-such-option made`";

  it("waits for the user, and the receipt lists old and new", () => {
    const place = placeWith(specum, BROKEN);
    expect(amend(place, "test -f made")).toMatchObject({ ok: true, waits: true });
    expect(place.tasks()).toContain("  - **Verify**: `test -f made`\n- [ ] 1.2");
    expect(place.stop()).toEqual({
      systemMessage: expect.stringContaining("not approved: `test -f made`"),
    });
    expect(report(place)).toMatchObject({ ok: false });
    expect(place.run(["next"]).out).not.toContain("cannot run");
    expect(place.slash(["approve"]).out).toContain("Verify may now run `test -f made`.");
    writeFileSync(join(place.root, "made"), "");
    expect(report(place)).toMatchObject({ ok: true });
    report(place, "TASK_COMPLETE", "1.2");
    expect(progress(place)).toContain(
      "- 1.1: `test --no-such-option made` became `test -f made`: there is no such option",
    );
  });

  it("does not wait if the user allowed it when they started the run", () => {
    const place = placeWith(specum, BROKEN);
    place.slash(["implement", "--allow-amend"]);
    place.slash(["resume"]);
    expect(amend(place, "test -f made")).toMatchObject({ ok: true, waits: false });
    writeFileSync(join(place.root, "made"), "");
    expect(report(place)).toMatchObject({ ok: true });
  });

  it("takes nothing that proves nothing, is bounded, and leaves finished tasks alone", () => {
    const place = placeWith(specum, BROKEN);
    place.slash(["implement", "--allow-amend"]);
    expect(amend(place, "true")).toMatchObject({ ok: false });
    expect(amend(place, "test -f made || true")["refusal"]).toContain("proves nothing, because");
    expect(amend(place, "test -f a")).toMatchObject({ ok: true });
    expect(amend(place, "test -f b")).toMatchObject({ ok: true });
    expect(amend(place, "test -f c")["refusal"]).toContain("has been changed 2 times");
    writeFileSync(join(place.root, "b"), "");
    expect(report(place)).toMatchObject({ ok: true });
    expect(amend(place, "test -f d")["refusal"]).toContain("is ticked");
    expectRefusal(place.run(["amend", "1.1"], IN_SESSION), EXIT.usage, /amend needs --verify/);
  });

  it("is the only way: another task's command, or weaker words, are noticed", () => {
    const tasks = (one: string): string =>
      `- [ ] 1.1 a\n  - **Verify**: ${one}\n- [ ] 1.2 b\n  - **Verify**: \`test -d .\`\n`;
    for (const weak of ["`test -d .`", "`grep -c x list` returns 0"]) {
      const place = startPlace(specum, {
        "specs/demo/tasks.md": tasks("`grep -c x list` returns 2"),
      });
      writeFileSync(join(place.folder, "tasks.md"), tasks(weak));
      writeFileSync(join(place.root, "list"), "");
      expect(report(place)).toMatchObject({ ok: false });
      expect(place.state()).toMatchObject({ awaitingApproval: true });
    }
  });

  it.each([
    ["approve", "changed in tasks.md, approved by the user"],
    ["implement", "changed in tasks.md by the user"],
  ])("is not needed by the user: what they change and %s is in the receipt", (command, reason) => {
    const place = placeWith(specum, "`test -f a`");
    const tasks = place.tasks().replace("test -f a", "test -f b");
    writeFileSync(join(place.folder, "tasks.md"), tasks);
    writeFileSync(join(place.root, "b"), "");
    expect(report(place)).toMatchObject({ ok: false });
    expect(place.slash([command]).code).toBe(0);
    expect(report(place)).toMatchObject({ ok: true });
    report(place, "TASK_COMPLETE", "1.2");
    expect(progress(place)).toContain(`- 1.1: \`test -f a\` became \`test -f b\`: ${reason}`);
  });
});
