import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editionsOf, hostNamed, hosts } from "../../src/hosts/all.ts";
import type { Edition } from "../../src/layouts/layout.ts";
import { layouts } from "../support/editions.ts";
import { fewOf } from "../support/full.ts";
import { GOAL, makeGitFlow } from "./flow.ts";
import { makePlace, type Place, SESSION, type StopAnswer, userFileOf } from "./support.ts";

/** Clients whose main agent does the work, and in which our hook runs what the user types. */
const HOST = { host: "codex" };
const words = editionsOf(hostNamed(HOST.host) ?? hosts[0]);
const voiceOf = ({ id }: Edition) => (words.find((one) => one.id === id) as Edition).voice;

const TASKS = `# Tasks

- [ ] 1.1 Write a
  - **Verify**: \`grep -q done a.txt\`
- [ ] 1.2 [P] Write b
  - **Verify**: \`grep -q done b.txt\`
- [ ] 1.3 [P] Write c
  - **Verify**: \`grep -q done c.txt\`
`;

/** What the model reads after the user typed this. */
function type(place: Place, text: string, session = SESSION): string {
  const { code, out, err } = place.hook("prompt", { prompt: text, session_id: session }, HOST);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const told = JSON.parse(out === "" ? "{}" : out) as {
    hookSpecificOutput?: { additionalContext?: string };
  };
  return told.hookSpecificOutput?.additionalContext ?? "";
}

const say = (place: Place, message: string, session = SESSION): StopAnswer =>
  place.stop({ last_assistant_message: message, session_id: session }, HOST);

function begin(layout: Edition, files: Readonly<Record<string, string>> = {}): Place {
  const place = makePlace(layout, { [`${layout.specsDirs[0]}/demo/tasks.md`]: TASKS, ...files });
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: place.root, env: { ...place.env } });
  git("init", "--quiet");
  git("config", "user.email", "t@localhost");
  git("config", "user.name", "t");
  git("add", ".");
  git("commit", "--quiet", "-m", "start");
  return place;
}

function work(place: Place, file: string): void {
  writeFileSync(join(place.root, file), "done\n");
  execFileSync("git", ["add", file], { cwd: place.root, env: { ...place.env } });
  execFileSync("git", ["commit", "--quiet", "-m", file], {
    cwd: place.root,
    env: { ...place.env },
  });
}

describe.each(fewOf(layouts))("$plugin, where the main agent works itself", (layout) => {
  const command = (name: string): string => voiceOf(layout).command(name);

  it("gets the first task with the user's command, and the next with each report that holds", () => {
    const place = begin(layout);
    const first = type(place, `${command("implement")} demo`);
    expect(first).toContain("3 of 3 tasks are open");
    expect(first).toMatch(/# Task 1\.1 of \w+ demo/);
    expect(first).toContain("TASK_COMPLETE");
    expect(first).not.toMatch(/sub-agent|coordinator/);
    expect(place.state()).toMatchObject({ sessionId: SESSION });

    work(place, "a.txt");
    const second = say(place, "Wrote it.\nTASK_COMPLETE").reason ?? "";
    expect(place.tasks()).toContain("- [x] 1.1");
    expect(second).toMatch(/# Task 1\.2 of \w+ demo/);
    expect(second, "one at a time").not.toContain("1.3");
    expect(second).not.toContain("Others work beside you");
    expect(second, "the rules are known").not.toContain("Rules for each task");

    work(place, "b.txt");
    expect(say(place, "TASK_COMPLETE").reason).toMatch(/# Task 1\.3/);
    work(place, "c.txt");
    const end = say(place, "TASK_COMPLETE");
    expect(end.reason).toBeUndefined();
    expect(end.systemMessage).toContain("all 3 tasks done in 3 turns; 3 proven;");
    expect(place.entries().filter(({ event }) => event === "done")).toHaveLength(3);
    expect(place.state()).toBeUndefined();
  });

  it("is not believed", () => {
    const place = begin(layout);
    type(place, `${command("implement")} demo`);
    const back = say(place, "All good.\nTASK_COMPLETE").reason ?? "";
    expect(back).toMatch(/# Task 1\.1/);
    expect(back).toContain("It was tried before and not accepted");
    expect(place.tasks()).not.toContain("[x]");
    expect(say(place, "ALL_TASKS_COMPLETE").reason).toContain("Not everything is done");
  });

  it("is told what a report is, and may write it as a list", () => {
    const place = begin(layout);
    type(place, `${command("implement")} demo`);
    work(place, "a.txt");
    expect(say(place, "Shall I commit? I think it is TASK_COMPLETE.").reason).toContain(
      "Your last message was no report",
    );
    const next = say(place, "- Wrote it.\n- TASK_COMPLETE").reason ?? "";
    expect(next).toMatch(/# Task 1\.2/);
    expect(next).not.toContain("no report");
  });

  it("does not complete one task with a report on another", () => {
    const place = begin(layout);
    type(place, `${command("implement")} demo`);
    for (const file of ["a.txt", "b.txt"]) work(place, file);
    say(place, "Task 1.2 is done, I have not looked at the first.\nTASK_COMPLETE");
    expect(place.tasks()).not.toContain("[x]");
    say(place, "Task 1.1 is done, before task 1.2.\nTASK_COMPLETE");
    expect(place.tasks()).toContain("- [x] 1.1");
  });

  it("reports once during a pause, on what it was at", () => {
    const place = begin(layout);
    type(place, `${command("implement")} demo`);
    for (const file of ["a.txt", "b.txt", "c.txt"]) work(place, file);
    type(place, command("pause"));
    for (const _ of [1, 2, 3]) say(place, "TASK_COMPLETE");
    expect(place.tasks().match(/\[x\]/g)).toHaveLength(1);
  });

  it("reports with done, too, also that it cannot", () => {
    const place = begin(layout);
    type(place, `${command("implement")} demo`);
    const done = (report: string) =>
      place.run(["done", "1.1", "--report", report], {
        env: { CODEX_THREAD_ID: SESSION, CODEX_SESSION_ID: SESSION },
      });
    expect(done("No such tool.\nTASK_BLOCKED").out).toMatch(/^Noted: 1\.1 is not done\. Next:/);
    work(place, "a.txt");
    expect(done("TASK_COMPLETE").out).toMatch(/^1\.1 is done[^]*# Task 1\.2/);
  });

  it("says that it cannot, and its attempts run out", () => {
    const place = begin(layout);
    type(place, `${command("implement")} demo --max-task-iterations 2`);
    expect(say(place, "No such tool.\nTASK_BLOCKED").reason).toContain("Attempt 2 of 2");
    expect(place.entries().some(({ event }) => event === "failed")).toBe(true);
    const end = say(place, "No such tool.\nTASK_BLOCKED");
    expect(end.reason).toBeUndefined();
    expect(end.systemMessage).toContain("1.1");
  });

  it("is bounded when it only talks, and a bystander is left alone", () => {
    const place = begin(layout);
    type(place, `${command("implement")} demo`);
    expect(say(place, "TASK_COMPLETE", "other")).toEqual({});
    let turns = 0;
    while (say(place, "I am thinking.").reason !== undefined) turns += 1;
    expect(turns).toBeLessThan(20);
  });

  it("pauses, resumes and cancels by what the user types", () => {
    const place = begin(layout);
    type(place, `${command("implement")} demo`);
    expect(type(place, command("pause"))).toContain("aused");
    expect(say(place, "Hello.").reason).toBeUndefined();
    expect(type(place, command("resume"))).toMatch(/# Task 1\.1/);
    expect(say(place, "Hello.").reason).toMatch(/# Task 1\.1/);
    expect(type(place, command("cancel"))).toContain("The run is over");
    expect(place.state()).toBeUndefined();
  });

  it("reviews the work itself, in whatever form it says so, but says something", () => {
    const place = begin(layout, { [userFileOf(layout)]: "---\nreview: on\n---\n" });
    type(place, `${command("implement")} demo`);
    for (const file of ["a.txt", "b.txt", "c.txt"]) {
      work(place, file);
      if (file !== "c.txt") say(place, "TASK_COMPLETE");
    }
    const asked = say(place, "TASK_COMPLETE").reason ?? "";
    expect(asked).toMatch(
      /One step is left: review the whole change once[^]*git diff --no-ext-diff /,
    );
    expect(say(place, "It is fine.").reason).toContain("review the whole change once");
    const back = say(place, "- major | a.txt:1 | it says done, and is not | write it").reason;
    expect(back).toMatch(/# Task \S+ of/);
    expect(place.tasks()).toContain("it says done, and is not");
  });

  it("replaces a Verify that cannot run with amend, and asks nobody else to", () => {
    const tasks = "- [ ] 1.1 Write a\n  - **Verify**: `no-such-program-here a.txt`\n";
    const place = begin(layout, { [`${layout.specsDirs[0]}/demo/tasks.md`]: tasks });
    const told = type(place, `${command("implement")} demo`);
    expect(told).toContain("replace it first: `");
    expect(told).toContain("amend 1.1 --verify");
    expect(told).not.toContain("VERIFY_WRONG");
  });

  it("leaves no path of this machine in what is committed", () => {
    const flow = makeGitFlow(layout);
    type(flow, `${command("start")} rate-limit "${GOAL}"`);
    expect(flow.read(".progress.md")).toContain("set intent");
    expect(flow.read(".progress.md")).not.toContain("/bin/");
  });

  it("refuses a command with one sentence", () => {
    const place = begin(layout);
    expect(type(place, `${command("implement")} nothing-here`)).toContain(
      "This command was refused",
    );
  });

  it("writes each document itself, and is told what is missing", () => {
    const place = begin(layout);
    const [phase] = layout.phases;
    const told = type(place, `${command("start")} fresh "Count the visitors of the page"`);
    expect(told).toContain(`/${phase?.document} yourself, as this role does`);
    expect(told).toContain(`Template of ${phase?.document}:`);
    expect(told).not.toContain("{{");
    expect(say(place, "What would you like?").reason, "questions are free").toBeUndefined();
    const [name] = /[\w-]*fresh/.exec(told) ?? [];
    const folder = join(place.root, layout.specsDirs[0], name ?? "");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, phase?.document ?? ""), "# Nothing\n");
    for (const _ of [1, 2])
      expect(say(place, "Here.\nDOCUMENT_READY").reason).toContain("is not finished");
    // Nobody else is there: after that the user is told.
    const end = say(place, "Here.\nDOCUMENT_READY");
    expect(end.reason).toBeUndefined();
    expect(end.systemMessage).toContain(`${phase?.document} is not finished`);
  });

  it("goes from phase to phase in quick mode, and into execution", () => {
    const flow = makeGitFlow(layout);
    const told = type(flow, `${command("start")} rate-limit "${GOAL}" --quick --full`);
    expect(told).toContain("Quick mode: ask nothing.");
    expect(told).toContain(`Goal: ${GOAL}`);
    for (const [i, phase] of layout.phases.entries()) {
      expect(say(flow, "Nothing yet.").reason).toContain("Fix that in the file");
      flow.write(phase.document);
      const { reason } = say(flow, "Here it is.");
      const next = layout.phases[i + 1];
      expect(reason).toContain(
        next === undefined ? "# Task 1.1 of" : `${next.document} yourself, as this role does`,
      );
    }
  });
});
