import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Edition } from "../../src/layouts/layout.ts";
import { specum } from "../support/editions.ts";
import { ordersFor } from "./agents.ts";
import { type Ran, REPOSITORY, runChild, startChild } from "./child.ts";
import { end, endOf, expectSilence, placeWith, report, tickByHand } from "./claims.ts";
import { IN_SESSION, makePlace, type Place, startPlace } from "./support.ts";

const reasonOf = ({ out }: Ran): string => {
  const { decision, reason } = JSON.parse(out) as { decision: string; reason: string };
  expect(decision).toBe("block");
  return reason;
};

const make = (place: Place, name: string): void => writeFileSync(join(place.root, name), "");

/** A transcript as the client keeps it for each sub-agent: its orders come first. */
function transcript(place: Place, orders: string): { agent_transcript_path: string } {
  const path = join(place.root, `agent-${Math.random().toString(36).slice(2)}.jsonl`);
  const record = { type: "user", isSidechain: true, message: { role: "user", content: orders } };
  writeFileSync(path, `${JSON.stringify(record)}\n`);
  return { agent_transcript_path: path };
}

const GROUP = `- [ ] 1.1 [P] One
  - **Files**: a
  - **Verify**: \`test -f a\`
- [ ] 1.2 [P] Two
  - **Files**: b
  - **Verify**: \`test -f b\`
- [ ] 1.3 Three
`;
const startGroup = (layout: Edition): Place =>
  startPlace(layout, { [`${layout.specsDirs[0]}/demo/tasks.md`]: GROUP });

describe("subagent-stop", () => {
  const layout = specum;
  it("ticks the box on a claim that holds, and the coordinator's report finds it done", () => {
    const place = placeWith(layout, "`test -f made`");
    make(place, "made");
    expectSilence(end(place));
    expect(place.tasks()).toContain("- [x] 1.1 ");
    expect(place.entries().at(-1)).toMatchObject({ event: "done", task: "1.1", agent: "agent-1" });
    expect(report(place)).toMatchObject({ code: 0, already: true });
    expect(place.stop().reason).toContain("Task 1.2 → ");
  });

  it("sends the agent back twice with the refusal, and then lets it go", () => {
    const place = placeWith(layout, "`test -f made`");
    for (let i = 0; i < 2; i++) {
      expect(reasonOf(end(place))).toBe(
        "1.1 is not done: its Verify `test -f made` failed with exit code 1. Fix the cause, then report again. If you cannot, say what is in the way and leave out TASK_COMPLETE.",
      );
    }
    expectSilence(end(place));
    expectSilence(end(place));
    expect(place.tasks()).toContain("- [ ] 1.1 ");
    // The next attempt's agent has its own two.
    expect(reasonOf(end(place, { agent_id: "agent-2" }))).toContain("is not done");
    make(place, "made");
    expectSilence(end(place, { agent_id: "agent-2" }));
    expect(place.tasks()).toContain("- [x] 1.1 ");
  });

  it("distinguishes the members of a group by their instructions or their reports, and others not at all", () => {
    const place = startGroup(layout);
    make(place, "b");
    expectSilence(end(place, transcript(place, "Do task 1.2.")));
    expect(place.tasks()).toContain("- [x] 1.2 ");
    expect(place.tasks()).toContain("- [ ] 1.1 ");
    expect(reasonOf(end(place, { last_assistant_message: "1.1 it is.\nTASK_COMPLETE" }))).toMatch(
      /^1\.1 is not done/,
    );
    // An agent whose task is done, or not yet due, speaks up: that proves nothing about 1.1.
    make(place, "a");
    for (const orders of ["Do task 1.2.", "Do task 1.3."]) {
      expectSilence(end(place, transcript(place, orders)));
      expect(place.entries().at(-1)).toMatchObject({ event: "heard", agent: "agent-1" });
    }
    expect(place.tasks()).toContain("- [ ] 1.1 ");
    expectSilence(end(place, transcript(place, "Do task 1.1.")));
    expect(place.tasks()).toContain("- [x] 1.1 ");
  });

  it("does not blame one agent of a group for the box that another has ticked", () => {
    const place = startGroup(layout);
    make(place, "a");
    make(place, "b");
    const tasks = join(place.folder, "tasks.md");
    writeFileSync(tasks, GROUP.replace("[ ] 1.2", "[x] 1.2"));
    expectSilence(end(place, transcript(place, "Do task 1.1.")));
    expect(place.tasks()).toContain("- [x] 1.1 ");
    expectSilence(end(place, { ...transcript(place, "Do task 1.2."), agent_id: "agent-2" }));
    expect(place.entries().filter(({ event }) => event === "done")).toHaveLength(2);
    // A box outside the group is another matter.
    const other = startGroup(layout);
    make(other, "a");
    writeFileSync(join(other.folder, "tasks.md"), GROUP.replace("[ ] 1.3", "[x] 1.3"));
    expect(reasonOf(end(other, transcript(other, "Do task 1.1.")))).toContain("reported: 1.3");
  });

  it("hears a qa-engineer, and does not ask it to fix anything", () => {
    const place = startPlace(layout, {
      [`${layout.specsDirs[0]}/demo/tasks.md`]:
        "- [ ] 1.1 [VERIFY] All\n  - **Verify**: `test -f made`\n- [ ] 1.2 Next\n",
    });
    const qa = {
      agent_type: `${layout.plugin}:qa-engineer`,
      last_assistant_message: "Fine.\n\nVERIFICATION_PASS",
    };
    const reason = reasonOf(end(place, qa));
    expect(reason).toContain("say VERIFICATION_FAIL");
    expect(reason).not.toContain("Fix the cause");
    make(place, "made");
    expectSilence(end(place, qa));
    expect(place.tasks()).toContain("- [x] 1.1 ");
  });

  it("checks the claim of an agent that has ticked its own box, and clears the box if it is false", () => {
    const place = placeWith(layout, "`test -f made`");
    for (const what of ["Do task 1.1.", "Do the first one."]) {
      tickByHand(place, "1.1");
      expect(reasonOf(end(place, transcript(place, what)))).toContain("1.1 is not done");
      expect(place.tasks()).toContain("- [ ] 1.1 ");
    }
    tickByHand(place, "1.1");
    make(place, "made");
    expectSilence(end(place));
    expect(place.entries().at(-1)).toMatchObject({ event: "done", task: "1.1" });
    expect(place.tasks()).toContain("- [x] 1.1 ");
    expect(place.tasks()).toContain("- [ ] 1.2 ");
  });

  it("counts a report that claims nothing as a failed attempt, once", () => {
    const place = placeWith(layout, "`test -f made`");
    expectSilence(end(place, { last_assistant_message: "The network is down." }));
    const failed = () => place.entries().filter(({ event }) => event === "failed");
    const heard = { task: "1.1", note: "The network is down.", agent: "agent-1" };
    expect(failed()).toMatchObject([{ ...heard, loop: { attempts: { "1.1": 2 } } }]);
    // The coordinator passes on the same in its own words.
    expect(place.json(["fail", "1.1", "--reason", "no network"])).toMatchObject({
      failed: 1,
      repeated: true,
    });
    expect(failed()).toHaveLength(1);
    expect(place.stop().reason).toContain("(attempt 2 of 5; last: The network is down.)");
    expect(ordersFor(place, "1.1")).toContain("> The network is down.");
    place.json(["fail", "1.1", "--reason", "again"]);
    expect(failed()).toHaveLength(2);
    make(place, "made");
    expect(report(place)).toMatchObject({ ok: true, already: false });
    expect(place.json(["evidence", "1.1"])["tasks"]).toMatchObject([{ attempts: 3 }]);
  });

  it("does not count an attempt if the Verify is said to be wrong", () => {
    const place = placeWith(layout, "`test -f made`");
    const said = "VERIFY_WRONG: it should be `test -d made`.";
    expectSilence(end(place, { last_assistant_message: said }));
    expect(place.entries().at(-1)).toMatchObject({ event: "heard", task: "1.1", note: said });
    expect(place.stop().reason).toContain(`\`${layout.plugin} amend 1.1 --verify '…' `);
    expect(ordersFor(place, "1.1")).toContain(`> ${said}`);
  });

  it.each([
    ["another kind of agent", { agent_type: "Explore" }],
    ["another plugin's executor", { agent_type: "other:spec-executor" }],
    ["another session", { session_id: "session-2" }],
    ["an agent that said nothing", { last_assistant_message: null }],
    ["no kind at all", { agent_type: undefined }],
    ["no folder", { cwd: "" }],
    ["a folder without a project", { cwd: "/" }],
  ])("ignores %s", (_, fields) => {
    const place = placeWith(layout, "`touch ran`");
    const before = place.entries().length;
    expectSilence(end(place, fields));
    expect(place.entries()).toHaveLength(before);
    expect(place.tasks()).toContain("- [ ] 1.1 ");
  });

  it.each(["", "garbage", "null", "[]", '{"cwd":3}', "\u0000"])("ignores %j", (input) => {
    const place = placeWith(layout, "`true`");
    expectSilence(place.run(["subagent-stop"], { input }));
  });

  it("ignores a spec without a run, a disabled plugin, and phases before execution", () => {
    expectSilence(end(makePlace(layout)));
    const off = placeWith(layout, "`true`");
    mkdirSync(join(off.root, ".claude"), { recursive: true });
    writeFileSync(join(off.root, layout.settingsFile), "---\nenabled: false\n---\n");
    const early = placeWith(layout, "`true`");
    early.run(["pause"]);
    expect(early.slash([layout.phases.at(-1)?.name ?? ""])).toMatchObject({ code: 0 });
    for (const place of [off, early]) {
      const before = place.entries().length;
      expectSilence(end(place));
      expect(place.entries()).toHaveLength(before);
      expect(place.tasks()).toContain("- [ ] 1.1 ");
    }
  });

  it("lets the agent stop on an internal error, and says why on one line", () => {
    const place = placeWith(layout, "`true`");
    const journal = join(place.folder, layout.journalFile);
    rmSync(journal);
    mkdirSync(journal);
    const { code, out, err } = end(place);
    expect(out.trim()).toBe("");
    expect(err).toMatch(
      new RegExp(
        `^\\[${layout.plugin}\\] [^\\n]*journal[^\\n]* cannot be used[^\\n]*not recorded\\n$`,
      ),
    );
    expect(code).toBe(0);
  });

  it("is reached through the gate that the client runs", () => {
    const place = placeWith(layout, "`test -f made`");
    const plugin = join(REPOSITORY, "plugins", layout.plugin);
    const command = 'set subagent-stop; command . "${CLAUDE_PLUGIN_ROOT}/hooks/gate"; :';
    const ran = runChild("/bin/sh", ["-c", command], {
      cwd: "/",
      env: { ...place.env, CLAUDE_PLUGIN_ROOT: plugin, CLAUDE_PROJECT_DIR: place.root },
      input: endOf(place),
    });
    expect(reasonOf(ran)).toContain("1.1 is not done");
  });
});

it("hears an agent of a run that no session is bound to, as a stop would", () => {
  const place = makePlace(specum);
  place.run(["implement"]);
  expectSilence(end(place));
  expect(place.tasks()).toContain("- [x] 1.1 ");
});

it("is of one mind with the coordinator that reports at the same moment", async () => {
  const place = placeWith(specum, "`sleep 0.5; test -f made`");
  make(place, "made");
  const program = join(REPOSITORY, "plugins", specum.plugin, "dist/cli.cjs");
  const run = (args: readonly string[], input: string): Promise<Ran> =>
    startChild(process.execPath, [program, "--layout=specum", ...args], {
      cwd: place.root,
      env: { ...place.env, ...IN_SESSION.env },
      input,
    });
  const [hook, done] = await Promise.all([
    run(["subagent-stop"], endOf(place)),
    run(["done", "1.1", "--report", "-"], "TASK_COMPLETE\n"),
  ]);
  expectSilence(hook as Ran);
  expect(done?.code).toBe(0);
  expect(place.entries().filter(({ event }) => event === "done")).toHaveLength(1);
});
