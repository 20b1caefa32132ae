import { describe, expect, it } from "vitest";
import { specum } from "../support/editions.ts";
import { openRepository, type Repository } from "../support/repository.ts";
import { ordersFor, work } from "./agents.ts";
import { IN_SESSION, makePlace, type Place } from "./support.ts";

const layout = specum;

const WRONG = "VERIFY_WRONG: the file is called made.txt, so `test -s made.txt`.";

describe("a Verify that is replaced after the work", () => {
  function begin(files: Readonly<Record<string, string>>, ...options: readonly string[]) {
    const tasks = "- [ ] 1.1 First\n  - **Verify**: `test -f maid.txt`\n- [ ] 1.2 Second\n";
    const place = makePlace(layout, { [`${layout.specsDirs[0]}/demo/tasks.md`]: tasks });
    const git = openRepository(place.root, place.env["HOME"] as string);
    git.git("init", "-q", "-b", "main");
    git.commit();
    place.slash(["implement", "demo", ...options]);
    writeAndReport(place, git, files);
    return place;
  }

  /** Its agent does the work and doubts the Verify. */
  function writeAndReport(place: Place, git: Repository, files: Readonly<Record<string, string>>) {
    for (const [name, text] of Object.entries(files)) {
      git.write({ [name]: text });
      git.git("add", name);
      git.git("commit", "-qm", name);
    }
    expect(work(place, "1.1", WRONG).context).toContain("amend 1.1 --verify");
  }

  const amend = (place: Place) =>
    place.run(["amend", "1.1", "--verify", "test -s made.txt", "--reason", "typo"], IN_SESSION);
  const eventsOf = (place: Place): string[] =>
    place.entries().flatMap(({ task, event }) => (task === "1.1" ? [event] : []));

  it("is run by the program once the user has approved it: nobody is sent for work that is done", () => {
    const place = begin({ "made.txt": "x" });
    amend(place);
    expect(place.stop().reason).toBeUndefined();
    expect(place.slash(["approve"]).code).toBe(0);
    expect(place.stop().reason).toContain("Task 1.2 → ");
    expect(place.tasks()).toContain("- [x] 1.1 ");
    expect(place.entries().findLast(({ event }) => event === "done")).toMatchObject({
      task: "1.1",
      evidence: [{ command: "test -s made.txt", outcome: "passed", tree: "clean" }],
      note: expect.stringContaining("run after its Verify was replaced") as string,
    });
    expect(eventsOf(place).filter((event) => event === "before")).toHaveLength(1);
    expect(place.run(["evidence"]).out).not.toContain("proves little");
  });

  it("is run at once if the user allowed that", () => {
    const place = begin({ "made.txt": "x" }, "--allow-amend");
    expect(amend(place).out).toContain("runs the Verify of task 1.1 itself: end your turn now");
    expect(place.stop().reason).toContain("Task 1.2 → ");
  });

  it.each([
    ["fails", { "made.txt": "" }, "> 1.1 is not done: its Verify `test -s made.txt` failed"],
    // Then it proves nothing that it passes.
    ["is all there is", {}, "> 1.1 is not done: nothing shows that somebody has worked on it."],
  ])("goes out with the task if it %s, and the orders say so", (_, files, says) => {
    const place = begin(files, "--allow-amend");
    amend(place);
    const { reason } = place.stop();
    expect(reason).toContain("Task 1.1 → ");
    expect(reason).not.toContain("amend 1.1");
    const orders = ordersFor(place, "1.1", { call: "again" });
    expect(orders).toContain(says);
    expect(orders).toContain("Its Verify was replaced after that work: the one above counts.");
    place.stop();
    // Only once.
    expect(eventsOf(place).filter((event) => event === "refused")).toHaveLength(1);
  });

  it("is in the orders of whoever is sent before it was run", () => {
    const place = begin({ "made.txt": "x" }, "--allow-amend");
    amend(place);
    const orders = ordersFor(place, "1.1", { call: "again" });
    expect(orders).toContain("Its last agent said that its Verify was wrong:\n> VERIFY_WRONG");
    expect(orders).toContain("Its Verify was replaced after that work");
    expect(orders).not.toContain("It was tried before and not accepted");
  });

  it("is run instead of another attempt if the first claim failed because of it", () => {
    const place = begin({ "made.txt": "x" }, "--allow-amend");
    work(place, "1.1", "TASK_COMPLETE", { call: "again" });
    place.stop();
    amend(place);
    expect(place.stop().reason).toContain("Task 1.2 → ");
    expect(place.run(["evidence"]).out).not.toContain("proves little");
  });
});

describe("a Verify that is approved after the work", () => {
  const tasks = (verify: string): string =>
    `- [ ] 1.1 First\n${verify === "" ? "" : `  - **Verify**: \`${verify}\`\n`}- [ ] 1.2 Second\n`;

  /** Its agent does the work and says so, and somebody had changed its Verify. */
  function claim(verify: string, files: Readonly<Record<string, string>>, said = "TASK_COMPLETE") {
    const list = `${layout.specsDirs[0]}/demo/tasks.md`;
    const place = makePlace(layout, { [list]: tasks("test -f old.txt") });
    const git = openRepository(place.root, place.env["HOME"] as string);
    git.git("init", "-q", "-b", "main");
    git.commit();
    place.slash(["implement", "demo"]);
    git.write({ [list]: tasks(verify) });
    for (const [name, text] of Object.entries(files)) {
      git.write({ [name]: text });
      git.git("add", name);
      git.git("commit", "-qm", name);
    }
    work(place, "1.1", said);
    expect(place.stop().systemMessage).toContain("waiting for you");
    expect(place.slash(["approve"]).code).toBe(0);
    return place;
  }

  it("is run by the program, and nobody is sent again if it passes", () => {
    const place = claim("test -s made.txt", { "made.txt": "x" });
    expect(place.stop().reason).toContain("Task 1.2 → ");
    expect(place.entries().findLast(({ event }) => event === "done")).toMatchObject({
      task: "1.1",
      evidence: [{ command: "test -s made.txt", outcome: "passed" }],
      note: expect.stringContaining("run after its Verify was approved") as string,
    });
    expect(place.entries().filter(({ event }) => event === "before")).toHaveLength(1);
    expect(place.run(["evidence"]).out).not.toContain("proves little");
  });

  it("goes out with the task if it fails, and nobody says that it passed before", () => {
    const place = claim("test -s made.txt", { "made.txt": "" });
    expect(place.stop().reason).toContain("Task 1.1 → ");
    const orders = ordersFor(place, "1.1", { call: "again" });
    expect(orders).toContain("> 1.1 is not done: its Verify `test -s made.txt` failed");
    expect(orders).not.toContain("passed before the work");
  });

  it("takes the agent's word that nothing had to change, and the user's that none is needed", () => {
    const said = "NO_CHANGE: it is there\nTASK_COMPLETE";
    const idle = claim("test -d .", {}, said);
    expect(idle.stop().reason).toContain("Task 1.2 → ");
    const done = ({ event }: { readonly event: string }): boolean => event === "done";
    expect(idle.entries().findLast(done)).toMatchObject({ noChange: "it is there" });
    const bare = claim("", { "made.txt": "" });
    expect(bare.stop().reason).toContain("Task 1.2 → ");
    expect(bare.entries().findLast(done)).toMatchObject({
      note: "the user approved it without a Verify",
    });
  });
});
