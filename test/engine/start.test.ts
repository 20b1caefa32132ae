import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { expectRefusal, pointerOf, SESSION, TASKS, userFileOf } from "../program/support.ts";
import { makeFolder } from "../program/temporary.ts";
import { layouts } from "../support/editions.ts";
import { GOAL, makeFlow, nameIn, startFlow } from "./flow.ts";

describe.each(layouts)("$plugin start", (layout) => {
  const specs = layout.specsDirs[0];
  const first = layout.phases[0];

  it("with a goal: creates the folder, the notes, the state and the pointer, and prints the prompt", async () => {
    const flow = makeFlow(layout).at(nameIn(layout, "count-requests-refuse"));
    const out = await flow.prompt("start", GOAL);
    expect(out).toContain(`"${nameIn(layout, "count-requests-refuse")}" created.`);
    expect(out).toContain(`Goal: ${GOAL}\n- Intent: looks like mid-sized work (high confidence); `);
    expect(out).toContain(`\`${layout.plugin}:${first?.agent}\``);
    expect(flow.state()).toMatchObject({
      source: "spec",
      phase: first?.name,
      intent: "mid-sized",
      granularity: "coarse",
      quickMode: false,
      commitSpec: true,
      awaitingApproval: false,
      sessionId: SESSION,
    });
    expect(flow.read(".progress.md")).toContain(
      `## Original Goal\n\n${GOAL}\n\n## Intent\n\nLooks like mid`,
    );
    expect(flow.entries().map(({ event, note }) => [event, note])).toEqual([
      ["phase", first?.name],
    ]);
    expect(readFileSync(join(flow.root, pointerOf(layout)), "utf8")).toBe(
      `${nameIn(layout, "count-requests-refuse")}\n`,
    );
    expect(readdirSync(flow.folder).sort()).toEqual(
      [
        ".progress.md",
        layout.journalFile,
        layout.stateFile,
        ...(layout.checklists === undefined ? [] : [layout.checklists.folder]),
      ].sort(),
    );
    expect(readdirSync(join(flow.root, specs))).not.toContain(layout.lockFile);
  });

  it("takes a name before the goal, and a name alone for the goal", async () => {
    const flow = makeFlow(layout);
    expect(await flow.typeJson("start", "rate-limit", "Count", "requests")).toMatchObject({
      code: 0,
      spec: nameIn(layout),
      created: true,
      phase: first?.name,
    });
    expect(flow.read(".progress.md")).toContain("## Original Goal\n\nCount requests\n");
    const alone = await flow.typeJson("start", "bulk-export");
    expect(alone).toMatchObject({ code: 0, created: true });
    expect(flow.at(String(alone["spec"])).read(".progress.md")).toContain("Goal\n\nbulk export\n");
  });

  it("takes the goal from a file, and keeps the file", async () => {
    const text = "# Plan\r\n\r\nExport invoices as CSV.\r\n\r\n- [ ] later\r\n";
    const flow = makeFlow(layout, { "docs/my plan.md": text }).at(
      nameIn(layout, "export-invoices-csv"),
    );
    expect(await flow.typeJson("start", "docs/my plan.md")).toMatchObject({
      code: 0,
      created: true,
    });
    expect(flow.read(".progress.md")).toContain("## Original Goal\n\nExport invoices as CSV.\n");
    expect(flow.read(layout.given)).toBe(text);
    expect(flow.state()).toMatchObject({ source: "plan" });
    expect((await flow.type("start", "invoice-export", "docs/my plan.md")).out).toContain(
      `What the user wrote before: ./${specs}/${layout.id === "speckit" ? "002-" : ""}invoice-export/${layout.given}`,
    );
  });

  it.each<[what: string, text: string | Buffer | undefined, code: number, says: RegExp]>([
    ["is not there", undefined, EXIT.missing, /there is no file plan\.md/],
    ["is empty", " \n", EXIT.usage, /plan\.md is empty/],
    ["is no text", Buffer.from([0x89, 0x50, 0, 1]), EXIT.usage, /plan\.md is not text/],
    ["is huge", Buffer.alloc(17 << 20, "a\n"), EXIT.broken, /larger than 16 MB/],
  ])("refuses a file that %s, and leaves nothing", async (_, text, code, says) => {
    const flow = makeFlow(layout);
    if (text !== undefined) writeFileSync(join(flow.root, "plan.md"), text);
    expectRefusal(await flow.type("start", "plan.md"), code, says);
    expect(existsSync(join(flow.root, specs))).toBe(false);
  });

  it("keeps a file in another encoding as it is", async () => {
    const bytes = Buffer.from("Pr\xe9parer la f\xeate.\n", "latin1");
    const flow = makeFlow(layout).at(nameIn(layout, "fete"));
    writeFileSync(join(flow.root, "plan.md"), bytes);
    expect((await flow.type("start", "--fresh", "fete-x", "plan.md")).code).toBe(0);
    const kept = readFileSync(join(flow.at(nameIn(layout, "fete-x")).folder, layout.given));
    expect(kept.equals(bytes)).toBe(true);
  });

  it("continues with a name that exists, however written; --fresh creates another", async () => {
    const flow = await startFlow(layout);
    const words = [nameIn(layout), `./${specs}/${nameIn(layout)}`, "rate-limit"];
    for (const word of words) {
      const again = await flow.typeJson("start", word);
      expect(again).toMatchObject({ code: 0, spec: nameIn(layout) });
      expect(again).not.toHaveProperty("created");
    }
    const fresh = layout.id === "speckit" ? "002-rate-limit" : "rate-limit-2";
    expect(await flow.typeJson("start", "rate-limit", "x y", "--fresh")).toMatchObject({
      spec: fresh,
    });
  });

  it("says that a goal comes too late for a spec that has one", async () => {
    const flow = await startFlow(layout);
    const note = /has its goal already/;
    expect(await flow.prompt("start", "rate-limit", "Something", "else")).toMatch(note);
    expect(await flow.prompt("start", "rate-limit", GOAL)).not.toMatch(note);
    expect(flow.read(".progress.md")).toContain(GOAL);
    expect(flow.read(".progress.md")).not.toContain("Something");
  });

  it("accepts a folder without notes, and writes what is missing", async () => {
    const flow = makeFlow(layout, { [`${specs}/${nameIn(layout)}/`]: "" });
    const out = await flow.prompt("start", "rate-limit", "Fix", "the", "crash");
    expect(out).toContain(
      "Goal: Fix the crash\n- Intent: looks like a bug fix (high confidence); ",
    );
    expect(flow.read(".progress.md")).toContain("Goal\n\nFix the crash\n");
    expect(flow.state()).toMatchObject({ phase: first?.name });
  });

  it("without words: the active one, the only one, or a choice", async () => {
    const flow = makeFlow(layout);
    expectRefusal(
      await flow.type("start"),
      EXIT.usage,
      /say what you want to build: \S+start add rate limiting/,
    );
    expectRefusal(await flow.type("new"), EXIT.usage, /say what you want to build/);
    expectRefusal(await flow.type("start", "   "), EXIT.usage, /say what you want to build/);
    expect(readdirSync(flow.root)).toEqual([]);
    await startFlow(layout, flow);
    await flow.type("start", "bulk-export");
    const second = nameIn(layout, "bulk-export").replace("001", "002");
    expect(await flow.typeJson("start")).toMatchObject({ spec: second });
    writeFileSync(join(flow.at(second).folder, "tasks.md"), TASKS.replaceAll("[ ]", "[x]"));
    expect(await flow.typeJson("start"), "the active one is finished").toMatchObject({
      spec: nameIn(layout),
    });
    await flow.type("start", "third-one");
    writeFileSync(join(flow.root, pointerOf(layout)), "\n");
    if (layout.peer !== undefined) rmSync(join(flow.root, layout.peer.file));
    expectRefusal(
      await flow.type("start"),
      EXIT.usage,
      /unfinished: [\w-]*rate-limit, [\w-]*third-one/,
    );
  });

  it("without words: the next spec of the epic, with the goal that the epic has for it", async () => {
    const flow = makeFlow(layout).at(nameIn(layout, "stock-list"));
    await flow.run(["epic", "new", "shop", "Sell things"]);
    await flow.run(["epic", "add", "stock-list", "--goal", "Know what is there"]);
    await flow.run([
      "epic",
      "add",
      "cart-page",
      "--goal",
      "Fill a cart",
      "--depends",
      "stock-list",
    ]);
    expect(await flow.prompt("start")).toContain("Goal: Know what is there\n");
    expect(flow.state()).toMatchObject({ epicName: "shop" });
    expect(await flow.prompt("start")).toContain("Part of an epic: ");
    expect(await flow.json(["epic", "status"])).toMatchObject({
      specs: [{ name: "stock-list", status: "in_progress" }, { name: "cart-page" }],
    });
  });

  it("passes on the options for a spec, and refuses unknown ones", async () => {
    const wishes = ["--tasks-size", "fine", "--intent", "refactor", "--quick", "--no-commit-spec"];
    const flow = await startFlow(layout, makeFlow(layout), ...wishes);
    const all = { granularity: "fine", intent: "refactor", quickMode: true, commitSpec: false };
    expect(flow.state()).toMatchObject(all);
    expect(flow.read(".progress.md")).toContain("refactor, as the user said");
    const other = makeFlow(layout);
    for (const bad of [
      ["--tasks-size", "huge"],
      ["--intent", "constructor"],
      ["--commit-spec", "--no-commit-spec"],
      ["--specs-dir", "elsewhere"],
      ["--specs-dir", "../elsewhere"],
      ["--dream"],
    ])
      expectRefusal(await other.type("start", ...bad, GOAL), EXIT.usage);
    expect(readdirSync(other.root)).toEqual([]);
  });

  it("passes on new options for an old spec", async () => {
    const flow = await startFlow(layout);
    await flow.prompt("start", "--tasks-size", "fine", "--intent", "trivial", "--no-commit-spec");
    expect(flow.state()).toMatchObject({
      granularity: "fine",
      intent: "trivial",
      commitSpec: false,
      quickMode: false,
    });
    expect(await flow.prompt(first?.name ?? "", nameIn(layout), "--quick")).toContain(
      "Quick mode: ask",
    );
    expect(flow.state()).toMatchObject({ quickMode: true, granularity: "fine" });
  });

  it("follows the settings, unless told otherwise", async () => {
    const settings = `---
auto_commit_spec: false
quick_mode_default: true
tasks_size: fine
default_max_iterations: 9
---
`;
    const flow = await startFlow(layout, makeFlow(layout, { [userFileOf(layout)]: settings }));
    expect(flow.state()).toMatchObject({
      commitSpec: false,
      quickMode: true,
      granularity: "fine",
      maxTaskIterations: 9,
    });
    expect(flow.entries()[0]?.loop.maxAttempts).toBe(9);
    await flow.type("start", "bulk-export", "--commit-spec", "--tasks-size", "coarse");
    const second = flow.at(nameIn(layout, "bulk-export").replace("001", "002"));
    expect(second.state()).toMatchObject({ commitSpec: true, granularity: "coarse" });
  });

  it("does nothing if the plugin is off", async () => {
    const flow = makeFlow(layout, { [layout.settingsFile]: "---\nenabled: false\n---\n" });
    for (const verb of ["start", "new", first?.name ?? ""])
      expectRefusal(await flow.type(verb, GOAL), EXIT.refused, /is disabled in this project/);
    expect(readdirSync(flow.root)).toEqual([".claude"]);
  });

  it("begins at the top of the repository, and outside one in the current folder", async () => {
    const flow = makeFlow(layout, { ".git/HEAD": "ref: refs/heads/main\n", "src/deep/": "" });
    await flow.run(["start", GOAL], { cwd: join(flow.root, "src/deep") });
    expect(readdirSync(flow.root)).toContain(specs.split("/")[0]);
    const outside = makeFolder();
    await flow.run(["start", GOAL], { cwd: outside });
    expect(existsSync(join(outside, specs))).toBe(true);
  });
});
