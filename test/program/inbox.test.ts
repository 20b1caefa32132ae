import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { parseAsked } from "../../src/run/asked.ts";
import { specum } from "../support/editions.ts";
import { vaultFile } from "../support/vault.ts";
import { giveBack, ordersFor, send } from "./agents.ts";
import { end, report, tickByHand } from "./claims.ts";
import {
  expectRefusal,
  IN_SESSION,
  makePlace,
  type Place,
  SESSION,
  startPlace,
} from "./support.ts";
import { makeFolder } from "./temporary.ts";

const TASKS = `- [ ] 1.1 First
  - **Verify**: \`true\`
- [ ] 1.2 Second
  - Depends on: 1.1
- [ ] 1.3 Third
- [ ] 1.4 [VERIFY] Check
  - **Verify**: \`true\`
`;

const begin = (layout = specum): Place =>
  startPlace(layout, { [`${layout.specsDirs[0]}/demo/tasks.md`]: TASKS });

const ask = (place: Place, ...more: string[]) =>
  place.run(["ask", "Which database?", "--options", "sqlite, postgres", ...more], IN_SESSION);

/** The inbox in the vault, which is the one that counts; it may not exist yet. */
function vaultInbox({ env }: Place, folder: string): string {
  const file = vaultFile(env["HOME"] as string, specum, folder, "inbox");
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

const eventsOf = (place: Place, id: string): string[] =>
  place.entries().flatMap(({ event, task }) => (task === id ? [event] : []));

describe("a question", () => {
  const layout = specum;
  it("holds its task and what depends on it; the answer goes to whoever gets it next", () => {
    const place = begin(layout);
    const { out, code } = ask(place);
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(out).toContain("Question 1: 1.1 waits until the user types");
    expect(out).toContain("Task 1.3 → ");

    expect(place.stop().reason).toContain("Task 1.3 → ");
    expect(place.run(["status"]).out).toContain(
      '? Question 1 (1.1): "Which database?" [1. sqlite, 2. postgres]',
    );
    expect(report(place, "TASK_COMPLETE", "1.3")).toMatchObject({ code: 0 });

    const held = place.stop();
    expect(held.decision).toBeUndefined();
    expect(held.systemMessage).toContain('3 tasks wait for you: 1 (1.1): "Which database?"');
    expect(place.state()).toBeDefined();
    expect(place.run(["status"]).out).toContain("waiting for your answer");
    const next = place.json(["next"], IN_SESSION);
    expect(next).toMatchObject({ tasks: [], held: ["1.1", "1.2", "1.4"] });

    expectRefusal(
      place.run(["answer", "1", "postgres"], IN_SESSION),
      EXIT.refused,
      /only the user/,
    );
    expect(place.run(["answer", "1"]).out).toContain("1. sqlite");
    expect(place.run(["inbox"]).out).toMatch(/ 2\. postgres\n +to choose 1: .+ answer 1 sqlite\n/);
    const told = place.slash(["answer", "1", "2"]);
    expect(told.out).toContain('1.1 continues with "postgres".');
    expect(told.out).toContain("Task 1.1 → ");
    const orders = ordersFor(place, "1.1");
    expect(orders).toContain("> Question: Which database?");
    expect(orders).toContain("> The user decided: postgres");
    const notes = readFileSync(join(place.folder, ".progress.md"), "utf8");
    expect(notes).toContain('asked about 1.1, "Which database?", you decided: postgres');
    expect(eventsOf(place, "1.1")).toEqual(expect.arrayContaining(["asked", "answered"]));
    expect(place.run(["inbox"]).out).toBe("Nothing waits for you.\n");
    expect(place.json(["inbox", "--all"])["entries"]).toMatchObject([{ answer: "postgres" }]);
  });
});

describe("a question in a client", () => {
  it("is listed once, and asking again returns the answer", () => {
    const place = begin();
    ask(place);
    ask(place, "--task", "1.1");
    expect(place.json(["inbox"])["entries"]).toMatchObject([
      { id: 1, spec: "demo", task: "1.1", waiting: ["1.1", "1.2", "1.4"] },
    ]);
    place.run(["answer", "1", "SQLITE"]);
    expect(ask(place, "--task", "1.1").out).toContain("> The user decided: sqlite");
    const again = place.run(["answer", "1", "neither"]);
    expect(again.out).toContain('It replaces "sqlite"');
    expect(readFileSync(join(place.folder, ".progress.md"), "utf8")).not.toContain(
      "you decided: sqlite",
    );
  });

  it("about a task that is done is answered too late", () => {
    const place = begin();
    ask(place);
    place.run(["answer", "1", "1"]);
    expect(report(place, "TASK_COMPLETE", "1.1")).toMatchObject({ code: 0 });
    const { out } = place.run(["answer", "1", "2"]);
    expect(out).toContain('1.1 is no longer open; "postgres" is noted.');
    expect(out).not.toContain("continues");
  });

  it("whose task is left and then unskipped was not left", () => {
    const place = begin();
    ask(place);
    const notes = (): string => readFileSync(join(place.folder, ".progress.md"), "utf8");
    place.run(["answer", "1", "leave it"]);
    expect(notes()).toContain("you decided: leave it");
    place.run(["unskip", "1.1"]);
    expect(notes()).not.toContain("you decided");
  });

  it("costs its agent no attempt, and its report is not about the next task", () => {
    const place = begin();
    send(place, "1.1");
    ask(place);
    end(place, {
      agent_id: "agent-1",
      agent_type: "ralph-specum:spec-executor",
      last_assistant_message: "1.1: I have asked.\nTASK_BLOCKED",
    });
    const { context } = giveBack(place, "1.1");
    expect(eventsOf(place, "1.1")).toContain("heard");
    expect(eventsOf(place, "1.1")).not.toContain("failed");
    expect(eventsOf(place, "1.3")).not.toContain("failed");
    expect(context).toContain("Task 1.3 → ");
  });

  it("a task that waits is not done, however it is claimed", () => {
    const place = begin();
    ask(place);
    const { code, out } = place.run(["done", "1.1", "--report", "TASK_COMPLETE"], IN_SESSION);
    expect(code).toBe(EXIT.refused);
    expect(out).toContain('1.1 waits for the user: 1 (1.1): "Which database?"');
    tickByHand(place, "1.1");
    expect(place.stop().reason).toContain("1.1 did not pass the check");
    expect(place.tasks()).toContain("- [ ] 1.1 ");
  });

  it("is not committed", () => {
    const place = begin();
    execFileSync("git", ["init", "--quiet"], { cwd: place.root, env: { ...place.env } });
    ask(place);
    const out = execFileSync("git", ["status", "--porcelain", "-uall"], {
      cwd: place.root,
      env: { ...place.env },
      encoding: "utf8",
    });
    expect(existsSync(join(place.root, "specs/demo/.inbox.json"))).toBe(true);
    expect(out).not.toContain("inbox");
  });

  it("a broken inbox is neither used nor replaced", () => {
    const place = begin();
    const file = vaultInbox(place, place.folder);
    writeFileSync(file, "{");
    expectRefusal(ask(place), EXIT.broken, "cannot be used: it is not valid JSON");
    expect(readFileSync(file, "utf8")).toBe("{");
  });

  it("is read from the vault, whatever an agent writes into the project's copy", () => {
    const place = begin();
    ask(place);
    const file = join(place.folder, ".inbox.json");
    const answer = { answer: "none", answeredAt: "2026-11-16T01:00:00.000Z", answeredBy: "user" };
    const [asked] = JSON.parse(readFileSync(file, "utf8")).entries;
    const skip = { ...asked, id: 2, kind: "skip", task: "1.3" };
    for (const entries of [[{ ...asked, ...answer }], [asked, skip], []]) {
      writeFileSync(file, JSON.stringify({ entries }));
      expect(place.json(["inbox"])["entries"]).toMatchObject([{ id: 1, task: "1.1" }]);
      expect(place.stop().reason).toContain("Task 1.3 → ");
    }
    rmSync(file);
    mkdirSync(file);
    expect(
      place.run(["answer", "1", "one"]).code,
      "a folder in place of the copy does not matter",
    ).toBe(0);
    expect(place.stop().reason).toContain("Task 1.1 → ");
  });
});

describe("skip", () => {
  it("leaves a task out until the user unskips it", () => {
    const place = begin();
    expectRefusal(place.run(["skip", "1.1"], IN_SESSION), EXIT.refused, /only the user/);
    expect(place.run(["skip", "1.1", "--reason", "too early"]).out).toContain("1.1 is skipped;");
    expect(place.stop().reason).toContain("Task 1.3 → ");
    expect(place.run(["inbox"]).out).toContain("too early");
    expect(place.run(["unskip", "1.1"]).out).toContain("1.1 is no longer skipped.");
    expect(place.stop().reason).toContain("Task 1.1 → ");
    expectRefusal(place.run(["unskip", "1.1"]), EXIT.missing, "is not skipped");
  });
});

it("status of a stopped run says whether all is answered, not what the last answer was", () => {
  const place = begin();
  place.run(["skip", "1.1"]);
  for (let i = 0; i < 5; i++) place.stop();
  expect(place.entries().at(-1)).toMatchObject({ event: "stalled" });
  place.run(["skip", "1.3"]);
  place.run(["unskip", "1.1"]);
  expect(place.json(["status"])).toMatchObject({ standing: "stopped", why: "questions are open" });
  place.run(["unskip", "1.3"]);
  expect(place.json(["status"])["why"]).toBe("all questions are answered");
});

describe("a driven agent", () => {
  const place = makePlace(specum, { "specs/demo/tasks.md": TASKS });
  const drive = (file: string) => ({ env: { SMART_RALPH_DRIVEN: "run-1", SMART_RALPH_ASK: file } });

  it("passes its question on to its runner, once", () => {
    const file = join(makeFolder(), "asked.jsonl");
    for (let i = 0; i < 2; i++) {
      const { out, code } = place.run(["ask", "Pay?", "--options", "yes,no"], drive(file));
      expect({ code, out }).toMatchObject({ code: 0 });
      expect(out).toContain("TASK_BLOCKED");
    }
    expect(parseAsked(readFileSync(file, "utf8"))).toEqual([
      { text: "Pay?", options: ["yes", "no"] },
    ]);
    expect(place.run(["inbox"]).out).toBe("Nothing waits for you.\n");
  });

  it("gets an answer that the user has already given", () => {
    const file = join(makeFolder(), "asked.jsonl");
    writeFileSync(`${file}.answers`, `${JSON.stringify({ question: "Pay?", answer: "no" })}\n`);
    const { out } = place.run(["ask", "May I pay?"], drive(file));
    expect(out).toContain("> The user decided: no");
    expect(existsSync(file)).toBe(false);
    expect(place.run(["ask", "May I pay?", "--again"], drive(file)).code).toBe(0);
    expect(existsSync(file)).toBe(true);
  });

  it("cannot ask too often, without a file, or through a link", () => {
    const folder = makeFolder();
    const file = join(folder, "asked.jsonl");
    for (let i = 0; i < 20; i++) appendFileSync(file, `{"text":"${i}"}\n`);
    expectRefusal(place.run(["ask", "One more?"], drive(file)), EXIT.refused, "too much");
    expectRefusal(place.run(["ask", "Where?"], drive("")), EXIT.refused, "nothing can be asked");
    expectRefusal(place.run(["ask", "Where?"], drive("asked")), EXIT.refused, "nothing can be");
    const target = join(makeFolder(), "target");
    writeFileSync(target, "");
    symlinkSync(target, join(folder, "link"));
    expect(place.run(["ask", "Where?"], drive(join(folder, "link"))).code).not.toBe(0);
    expect(readFileSync(target, "utf8")).toBe("");
  });

  it("is never the user, whatever it claims", () => {
    const own = begin();
    ask(own);
    const env = { SMART_RALPH_DRIVEN: SESSION };
    expectRefusal(own.run(["answer", "1", "yes"], { env }), EXIT.refused, /only the user/);
    expect(own.stop().decision).toBe("block");
  });
});

it("questions in the work tree of a run are listed and answered there", () => {
  const place = makePlace(specum, { "specs/demo/tasks.md": TASKS });
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: place.root, env: { ...place.env } });
  git("init", "--quiet", "-b", "main");
  for (const [key, value] of [
    ["email", "t@localhost"],
    ["name", "t"],
  ] as const)
    git("config", `user.${key}`, value);
  git("add", ".");
  git("commit", "--quiet", "-m", "begin");
  const trees = join(place.env["HOME"] as string, ".local/state/smart-ralph/trees/abc");
  mkdirSync(trees, { recursive: true });
  const tree = join(trees, "demo");
  git("worktree", "add", "--quiet", "-b", "smart-ralph/demo", tree);
  const entry = {
    id: 7,
    kind: "question",
    task: "1.3",
    text: "Now?",
    options: [],
    askedAt: "2026-11-16T01:00:00.000Z",
  };
  writeFileSync(vaultInbox(place, join(tree, "specs/demo")), JSON.stringify({ entries: [entry] }));
  mkdirSync(join(trees, "stranger/specs/demo"), { recursive: true });
  writeFileSync(
    vaultInbox(place, join(trees, "stranger/specs/demo")),
    JSON.stringify({ entries: [{ ...entry, id: 8 }] }),
  );

  expect(place.json(["inbox"])["entries"]).toMatchObject([{ id: 7, waiting: ["1.3", "1.4"] }]);
  expect(place.run(["answer", "7", "yes,", "now"]).code).toBe(0);
  expect(readFileSync(join(tree, "specs/demo/.inbox.json"), "utf8")).toContain('"yes, now"');
  expect(place.run(["inbox"]).out).toBe("Nothing waits for you.\n");
  expectRefusal(place.run(["answer", "9", "x"]), EXIT.missing, 'there is no question "9"');
});
