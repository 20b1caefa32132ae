import { expect, it } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import { makeEpicNight } from "./epic-night.ts";
import { COMPLETE, type Row, scene, until } from "./scenes.ts";

const TWO = ["--parallel", "2"];
const code = "smart-ralph/big:code.txt";

/** Each writes its own line into the same file; the second is merged after the first. */
const own = (id: string): DemoStep[] => [
  ...(id === "1.1" ? [] : [until(`git show ${code} | grep -q "1.1 done"`)]),
  { write: "code.txt", text: `${id} done\n` },
  COMPLETE,
];
const row = (id: string): Row => ({
  id,
  files: "code.txt",
  verify: `grep -q "${id} done" code.txt`,
});
const SPECS = { one: { rows: [row("1.1")] }, two: { rows: [row("2.1")] } };
const SCENES = [scene("1.1", own("1.1")), scene("2.1", own("2.1"))];
it("a conflict between two specs is resolved by an agent, and both are proven together", async () => {
  const both = [{ write: "code.txt", text: "1.1 done\n2.1 done\n" }, COMPLETE];
  const night = makeEpicNight(SPECS, [
    { when: "# Resolve a merge conflict", attempts: [both] },
    ...SCENES,
  ]);
  const { code: exit, events } = await night.run(TWO, "big");
  expect(exit).toBe(0);
  expect(events.filter(({ kind }) => kind === "conflict")).toHaveLength(1);
  expect(events).toContainEqual(
    expect.objectContaining({ kind: "attempt-started", spec: "two", role: "merge" }),
  );
  expect(night.git("show", code)).toBe("1.1 done\n2.1 done");
});

it("keeping one side is not enough; the next agent is told what no longer passes", async () => {
  const night = makeEpicNight(SPECS, [
    {
      when: "# Resolve a merge conflict",
      attempts: [[{ write: "code.txt", text: "2.1 done\n" }, COMPLETE]],
    },
    {
      when: "# Make it fit again",
      attempts: [[{ append: "code.txt", text: "1.1 done\n" }, COMPLETE]],
    },
    ...SCENES,
  ]);
  const { code: exit, events } = await night.run(TWO, "big");
  expect(exit).toBe(0);
  expect(events).toContainEqual(
    expect.objectContaining({
      kind: "refused",
      spec: "two",
      reason: expect.stringMatching(/^one: 1\.1/),
    }),
  );
  expect(night.git("show", code)).toBe("2.1 done\n1.1 done");
});

it("what two agents cannot make fit becomes a question, and none of it is merged until it fits", async () => {
  const night = makeEpicNight(SPECS, [
    { when: "# Resolve a merge conflict", attempts: [[{ say: "No idea." }, COMPLETE]] },
    ...SCENES,
  ]);
  const { code: exit, events } = await night.run(TWO, "big");
  expect(exit).toBe(1);
  expect(events.filter((one) => "role" in one && one.role === "merge")).toHaveLength(2);
  expect(events).toContainEqual(
    expect.objectContaining({
      kind: "question",
      spec: "two",
      text: expect.stringContaining("code.txt"),
    }),
  );
  expect(night.git("show", code)).toBe("1.1 done");
  expect(night.cli("epic", "status").out).toMatch(/1 of 2 specs done/);
  // No agent is started before there is an answer.
  const again = await night.run(TWO, "big");
  expect(again.code).toBe(1);
  expect(again.events.some(({ kind }) => kind === "attempt-started")).toBe(false);

  expect(night.cli("inbox").out).toContain("does not fit");
  expect(night.cli("answer", "1", "both lines").code).toBe(0);
  night.scenes([
    {
      when: "The user has decided: both lines",
      attempts: [[{ write: "code.txt", text: "1.1 done\n2.1 done\n" }, COMPLETE]],
    },
  ]);
  expect((await night.run(TWO, "big")).code).toBe(0);
  expect(night.git("show", code)).toBe("1.1 done\n2.1 done");
});

it("specs that merge without a conflict and break each other are not merged as they are", async () => {
  // Each is fine alone; together there is a file that must not exist.
  const night = makeEpicNight(
    {
      one: {
        rows: [{ id: "1.1", files: "one.txt", verify: "test -f one.txt && ! test -f two.txt" }],
      },
      two: { rows: [{ id: "2.1", files: "two.txt", verify: "test -f two.txt" }] },
    },
    [
      {
        when: "# Make it fit again",
        attempts: [[{ run: "git rm -q two.txt && git commit -qm gone" }, COMPLETE]],
      },
      scene("1.1", [{ write: "one.txt", text: "1\n" }, COMPLETE]),
      scene("2.1", [
        until("git cat-file -e smart-ralph/big:one.txt"),
        { write: "two.txt", text: "2\n" },
        COMPLETE,
      ]),
    ],
  );
  const { code: exit } = await night.run(TWO, "big");
  expect(exit).toBe(1);
  const files = night.git("ls-tree", "--name-only", "smart-ralph/big").split("\n");
  expect(files).toContain("one.txt");
  expect(files).not.toContain("two.txt");
});

const COMMIT = "git -c user.name=a -c user.email=a@b commit -qam 'its own'";

it.each([
  {
    what: "drops commits",
    command: `git merge --abort; git reset -q --hard main`,
    reason: /^two dropped commits/,
  },
  {
    what: "switches to an empty branch",
    command: "git merge --abort; git checkout -q --orphan nothing && git rm -rfq --cached .",
    reason: /^two left the branch/,
  },
  {
    what: "puts a link in place of a file",
    command: 'cp code.txt "$HOME/there" && rm code.txt && ln -s "$HOME/there" code.txt',
    reason: /^two made code\.txt a link to /,
  },
  {
    what: "puts another repository in place of the run's",
    command: `mv .git "$HOME/was" && git init -q . && git add -A . && ${COMMIT}`,
    reason: /^The run's repository was replaced/,
  },
  {
    what: "adds a repository inside",
    command: `git init -q sub && git -C sub -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && git add -A . && ${COMMIT}`,
    reason: /^two added a repository inside/,
  },
])("an agent that $what while it resolves a conflict has failed", async ({ command, reason }) => {
  const night = makeEpicNight(SPECS, []);
  const both: DemoStep = { write: "code.txt", text: "1.1 done\n2.1 done\n" };
  const steps: DemoStep[] = [both, { run: command }, COMPLETE];
  night.scenes([
    {
      when: "# Resolve a merge conflict",
      attempts: [
        [{ first: 1, count: night.counter("first"), steps }, { run: "rm -rf sub" }, both, COMPLETE],
      ],
    },
    ...SCENES,
  ]);
  const { code: exit, events } = await night.run(TWO, "big");
  const refused = events.flatMap((one) => (one.kind === "refused" ? [one.reason] : []));
  expect(refused).toEqual([expect.stringMatching(reason)]);
  expect(exit).toBe(0);
  expect(night.git("ls-tree", "smart-ralph/big", "code.txt")).toMatch(/^100644 /);
  expect(night.git("show", code)).toBe("1.1 done\n2.1 done");
});

it("changes outside the run's branches while a conflict is resolved are reported", async () => {
  const night = makeEpicNight(SPECS, [
    {
      when: "# Resolve a merge conflict",
      attempts: [
        [
          { write: "code.txt", text: "1.1 done\n2.1 done\n" },
          { run: "git update-ref refs/heads/mine HEAD" },
          COMPLETE,
        ],
      ],
    },
    ...SCENES,
  ]);
  const { events } = await night.run(TWO, "big");
  expect(events).toContainEqual(
    expect.objectContaining({
      kind: "note",
      text: expect.stringContaining("outside the run's branch: refs/heads/mine"),
    }),
  );
});
