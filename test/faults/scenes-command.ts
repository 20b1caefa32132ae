import { endOf } from "../program/claims.ts";
import { fillFolder } from "../program/temporary.ts";
import { command, done, ok, type Scene, slash, start } from "./scene.ts";
import { SESSION, TASKS } from "./stage.ts";

const RUN_OF_OTHER = {
  "specs/other/tasks.md": "- [ ] 9.1 Other\n",
  "specs/.current-spec": "other\n",
  "specs/other/.ralph-state.json": '{"phase":"execution","taskIndex":0,"totalTasks":1}\n',
};

/** Every command for people that writes. */
export const runScenes: readonly Scene[] = [
  {
    name: "implement",
    act: slash("implement", "demo"),
    next: ["task", "none"],
  },
  {
    name: "implement (git)",
    git: "spec ignored",
    act: slash("implement", "demo"),
    next: ["task", "none"],
  },
  {
    name: "implement, another was on",
    files: RUN_OF_OTHER,
    act: slash("implement", "demo"),
    next: ["task", "none"],
  },
  {
    name: "resume",
    async prepare(stage) {
      await start(stage);
      await ok(stage.command(["pause"]));
    },
    act: slash("resume"),
  },
  { name: "pause", prepare: start, act: command("pause") },
  { name: "accept", prepare: start, act: slash("accept", "1.1") },
  {
    name: "cancel",
    async prepare(stage) {
      await start(stage);
      stage.write(".progress-task-1.2.md", "notes");
    },
    act: slash("cancel"),
  },
  { name: "await-approval", prepare: start, act: command("await-approval", "--reason", "red?") },
  {
    name: "approve",
    async prepare(stage) {
      await start(stage);
      await ok(stage.command(["await-approval", "--reason", "red?"]));
    },
    act: slash("approve"),
  },
  {
    name: "repair",
    async prepare(stage) {
      await start(stage);
      stage.write(".ralph-state.json", '{"phase":');
    },
    act: command("repair"),
    next: ["task", "advice"],
  },
  {
    name: "undo (git)",
    git: "spec ignored",
    async prepare(stage) {
      await start(stage);
      stage.repository().commit({ "a.txt": "1" }, "feat: first");
      await ok(done(stage, "1.1"));
    },
    act: command("undo", "1.1", "--yes"),
  },
  {
    name: "undo (git), spec tracked",
    git: "spec tracked",
    async prepare(stage) {
      await start(stage);
      const repository = stage.repository();
      repository.write({ "a.txt": "1" });
      repository.git("commit", "-q", "-m", "feat: first", "a.txt");
      await ok(done(stage, "1.1"));
      // Only the file on disk knows of this task.
      await ok(stage.command(["add", "more", "--before", "1.2"]));
    },
    act: command("undo", "1.1", "--yes"),
  },
];

const GROUP = {
  "specs/demo/.progress-task-1.2.md": "two\n",
  "specs/demo/.progress-task-1.3.md": "three\n",
};

/** Every command for agents that writes. */
export const agentScenes: readonly Scene[] = [
  { name: "done", prepare: start, act: (stage, around) => done(stage, "1.1", around) },
  {
    name: "done (git)",
    git: "spec ignored",
    prepare: start,
    act: (stage, around) => done(stage, "1.1", around),
  },
  {
    name: "done, last of a group",
    async prepare(stage) {
      await start(stage);
      await ok(done(stage, "1.1"));
      await ok(done(stage, "1.2"));
      fillFolder(stage.root, GROUP);
    },
    act: (stage, around) => done(stage, "1.3", around),
    notes: ["two\n", "three\n"],
  },
  {
    name: "done, last of all",
    async prepare(stage) {
      stage.write(
        "tasks.md",
        TASKS.replaceAll(/\[ \] 1\.[123]/g, (box) => box.replace(" ", "x")),
      );
      await start(stage);
    },
    act: (stage, around) => done(stage, "1.4", around),
  },
  {
    name: "done, refused",
    prepare: start,
    act: command("done", "1.1", "--report", "It requires manual steps.\n\nTASK_COMPLETE"),
  },
  {
    name: "done, not agreed to",
    async prepare(stage) {
      await start(stage);
      stage.write("tasks.md", stage.tasks.replace("`true`", "`test 1`"));
    },
    act: (stage, around) => done(stage, "1.1", around),
  },
  { name: "fail", prepare: start, act: command("fail", "1.1", "--reason", "it broke") },
  {
    name: "fail, recovery mode",
    prepare: (stage) => start(stage, "--recovery-mode"),
    act: command("fail", "1.1", "--reason", "it broke"),
  },
  { name: "split", prepare: start, act: command("split", "1.1", "--into", "one", "--into", "two") },
  { name: "add", prepare: start, act: command("add", "more", "--before", "1.1") },
  {
    name: "amend",
    prepare: (stage) => start(stage, "--allow-amend"),
    act: command("amend", "1.1", "--verify", "test -d .", "--reason", "it proves nothing"),
  },
  {
    name: "settle",
    mayClear: true,
    async prepare(stage) {
      await start(stage);
      stage.write("tasks.md", stage.tasks.replace("[ ] 1.1", "[x] 1.1"));
    },
    act: (stage, around) =>
      stage.command(
        ["settle"],
        around,
        JSON.stringify({ session_id: SESSION, cwd: stage.root, hook_event_name: "Stop" }),
      ),
  },
  {
    name: "tasks prioritize --write",
    files: { "specs/demo/tasks.md": `${TASKS}- [ ] 1.5 Small\n- [ ] 1.6 [RISKY] Large\n` },
    prepare: start,
    act: command("tasks", "prioritize", "--write"),
  },
  {
    name: "subagent-stop",
    prepare: start,
    act(stage, around) {
      const place = { root: stage.root, layout: { plugin: "ralph-specum" } };
      const input = endOf(place as never, { session_id: SESSION });
      return stage.command(["subagent-stop"], around, input);
    },
  },
];
