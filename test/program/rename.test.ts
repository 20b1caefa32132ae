import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import type { Edition, Phase } from "../../src/layouts/layout.ts";
import { layouts, speckit, specum } from "../support/editions.ts";
import { send } from "./agents.ts";
import { end, expectSilence } from "./claims.ts";
import {
  type Flow,
  GOAL,
  makeFlow,
  makeGitFlow,
  nameIn,
  startFlow,
  TASK,
  written,
} from "./flow.ts";
import { expectRefusal, pointerOf, SESSION } from "./support.ts";
import { fillFolder } from "./temporary.ts";

const OLD = "count-requests-refuse";
const NEW = "limit-requests";

const branchIn = (layout: Edition, name: string): string => layout.branchFor(nameIn(layout, name));

/** A spec that the user gave no name. */
function begin(layout: Edition, make = makeFlow, ...more: string[]): Flow {
  const flow = make(layout).at(nameIn(layout, OLD));
  expect(flow.prompt("start", GOAL, ...more)).toContain("is only made of the goal's words");
  return flow;
}

/** The files that this machine has about a spec, and the marks of runs that are on. */
const vaultOf = (flow: Flow): string[] =>
  readdirSync(join(flow.env["HOME"] as string), { recursive: true, encoding: "utf8" })
    .filter((name) => name.includes("smart-ralph"))
    .filter((name) => /\.(?:specum|speckit|openspec)-(?:run|journal|verify)|-on[/\\]/.test(name))
    .map((name) => name.split(/[/\\]/).slice(-2).join("/"))
    .sort();

describe.each(layouts)("$plugin: the name of a spec", (layout) => {
  const first = layout.phases[0] as Phase;

  it("is chosen by the coordinator, in the prompt of its first agent", () => {
    const flow = begin(layout, makeGitFlow, "--branch");
    expect(flow.git.git("branch", "--show-current")).toBe(branchIn(layout, OLD));
    const sent = send(flow, "name: limit-requests\nThe user wants Redis.", {
      agent: first.agent,
      call: "writer",
    });
    const now = flow.at(nameIn(layout, NEW));
    expect(existsSync(flow.folder)).toBe(false);
    expect(sent.orders).toContain(`${now.folder}/${first.document}`);
    expect(sent.orders).toContain("From the coordinator:\nThe user wants Redis.");
    expect(sent.orders).not.toMatch(/name:|count-requests/);
    expect(readdirSync(now.folder)).toEqual(
      expect.arrayContaining([".progress.md", layout.journalFile, layout.stateFile]),
    );
    expect(readdirSync(now.folder)).not.toContain(layout.lockFile);
    expect(now.read(".progress.md")).toContain(`# Progress: ${nameIn(layout, NEW)}\n`);
    expect(now.read(".progress.md")).not.toContain(OLD);
    expect(now.git.git("branch", "--list", "--format=%(refname:short)").split("\n")).toEqual(
      [branchIn(layout, NEW), "main"].sort(),
    );
    expect(readFileSync(join(flow.root, pointerOf(layout)), "utf8").trim()).toBe(
      nameIn(layout, NEW),
    );
    expect(now.state()).toMatchObject({
      name: nameIn(layout, NEW),
      basePath: `./${layout.specsDirs[0]}/${nameIn(layout, NEW)}`,
      nameBy: "agent",
      sessionId: SESSION,
      phase: first.name,
    });
    expect(now.entries().map(({ event }) => event)).toEqual(["phase", "renamed", "delegated"]);
  });

  it("changes while everything else about its run stays", () => {
    const flow = begin(layout, makeFlow, "--quick", "--no-branch");
    const before = vaultOf(flow);
    expect(before.join()).toContain(OLD);
    send(flow, `${first.name}\nname: ${NEW}`, { agent: first.agent, call: "writer" });
    expect(vaultOf(flow).map((name) => name.replace(/-\w+$/, ""))).toEqual(
      before.map((name) => name.replace(OLD, NEW).replace(/-\w+$/, "")),
    );
    const now = flow.at(nameIn(layout, NEW));
    now.write(first.document, written(layout, first.document, now.state()?.["small"] === true));
    const agent_type = `${layout.plugin}:${first.agent}`;
    expectSilence(end(now, { agent_type, last_assistant_message: "Written." }));
    // The run is known and bound: the stop hands out the next phase.
    expect(now.stop().reason).toContain(nameIn(layout, NEW));
  });

  it.each(["name: Limit Requests!", "Name: `limit requests`", "  name: 007-limit-requests  "])(
    "may be written as %j",
    (line) => {
      const flow = begin(layout);
      send(flow, line, { agent: first.agent });
      expect(existsSync(flow.at(nameIn(layout, NEW)).folder)).toBe(true);
    },
  );

  it.each(["name: ../../x/..", "name: !?", `name: ${"long ".repeat(20)}`, "no name at all"])(
    "stays if the line is %j, and the agent starts all the same",
    (line) => {
      const flow = begin(layout);
      const { orders } = send(flow, line, { agent: first.agent });
      expect(orders).toContain(`# ${flow.folder}/${first.document}`);
      expect(readdirSync(join(flow.root, layout.specsDirs[0]))).toHaveLength(
        layout.pointerIn === "specs-dir" ? 2 : 1,
      );
    },
  );

  it("stays if the user chose it, if its document is written, or if another session asks", () => {
    const chosen = startFlow(layout);
    send(chosen, "name: other-name", { agent: first.agent });
    expect(existsSync(chosen.folder)).toBe(true);
    const late = begin(layout);
    late.write(first.document);
    expect(late.prompt("start")).not.toContain("only made of the goal's words");
    send(late, "name: other-name", { agent: first.agent });
    expect(existsSync(late.folder)).toBe(true);
    const foreign = begin(layout);
    send(foreign, "name: other-name", { agent: first.agent, session_id: "session-2" });
    expect(existsSync(foreign.folder)).toBe(true);
  });

  it("is chosen once by an agent, with the command too", () => {
    const flow = begin(layout);
    const { code, out } = flow.call("rename", "limit-requests");
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/ now, in \.\//) });
    const now = flow.at(nameIn(layout, NEW));
    expectRefusal(now.call("rename", "again"), EXIT.refused, /only the user can run rename/);
    expect(now.typeJson("rename", "by-user")).toMatchObject({
      code: 0,
      spec: nameIn(layout, "by-user"),
      before: nameIn(layout, NEW),
    });
    expect(now.at(nameIn(layout, "by-user")).state()).not.toHaveProperty("nameBy");
  });

  it("is changed by the user later too, with a commit, but not the branch that others know", () => {
    const flow = startFlow(layout, makeGitFlow(layout), "--branch");
    flow.write(first.document);
    expect(flow.call("submit").code).toBe(0);
    flow.git.git("update-ref", "refs/remotes/origin/x", "HEAD");
    flow.git.git("remote", "add", "origin", ".");
    flow.git.git("branch", "--set-upstream-to=origin/x");
    expect(flow.prompt("rename", "other-name")).toMatch(
      /other-name now, in .*\. Commit \w+\. The branch is still \S+: it has been pushed\./,
    );
    const now = flow.at(nameIn(layout, "other-name"));
    expect(now.git.git("status", "--porcelain")).toBe("");
    expect(now.git.git("log", "-1", "--format=%s")).toBe(
      `docs(${nameIn(layout, "other-name")}): renamed from ${nameIn(layout)}`,
    );
    expect(now.json(["status"])["spec"]).toBe(nameIn(layout, "other-name"));
    expect(now.type(layout.phases[1]?.name ?? "").code).toBe(0);
  });

  it("is refused if it is taken, is no name, or if tasks have been worked on", () => {
    const flow = startFlow(layout);
    mkdirSync(join(flow.root, layout.specsDirs[0], nameIn(layout, "taken")));
    expectRefusal(flow.type("rename", "taken"), EXIT.refused, /"\S*taken" already exists/);
    expectRefusal(flow.type("rename", "!?"), EXIT.usage, /is not a valid name/);
    expectRefusal(flow.type("rename", "a-b-c-d-e-f-g"), EXIT.usage, /too many words/);
    flow.write("tasks.md", TASK);
    flow.prompt("implement");
    expectRefusal(flow.type("rename", "late"), EXIT.refused, /have been worked on/);
    flow.slash(["cancel"]);
    expectRefusal(flow.type("rename", "late"), EXIT.refused, /have been worked on/);
    expect(existsSync(flow.folder)).toBe(true);
  });
});

it("Spec Kit's pointer follows", () => {
  const flow = begin(speckit);
  const read = (): unknown =>
    JSON.parse(readFileSync(join(flow.root, ".specify/feature.json"), "utf8"));
  flow.call("rename", NEW);
  expect(read()).toEqual({ feature_directory: `.specify/specs/001-${NEW}` });
  fillFolder(flow.root, { ".specify/feature.json": '{"feature_directory":"specs/009-x"}' });
  flow.prompt("rename", "third-name");
  expect(read()).toEqual({ feature_directory: "specs/009-x" });
});

it("a spec of an epic keeps its name, and so does a link", () => {
  const flow = makeFlow(specum).at("stock-list");
  flow.run(["epic", "new", "shop", "Sell things"]);
  flow.run(["epic", "add", "stock-list", "--goal", "List what there is"]);
  flow.prompt("start", "stock-list");
  expectRefusal(flow.type("rename", "other"), EXIT.refused, /a part of the epic shop/);
  const linked = startFlow(specum);
  symlinkSync(linked.folder, join(linked.root, "specs/link"));
  expectRefusal(linked.type("rename", "other", "link"), EXIT.refused, /link/);
});
