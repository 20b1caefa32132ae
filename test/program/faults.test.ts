import { spawn } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import type { Phase } from "../../src/layouts/layout.ts";
import { parseJournal } from "../../src/run/journal-lines.ts";
import { specum } from "../support/editions.ts";
import { GIT_ENV } from "../support/repository.ts";
import { typeSlash } from "../support/ticket.ts";
import { endOf, REPOSITORY, startChild } from "./child.ts";
import { type Flow, GOAL, makeFlow, makeGitFlow, nameIn, openFlow, startFlow } from "./flow.ts";
import { expectRefusal, IN_SESSION, pointerOf, SESSION } from "./support.ts";
import { makeFolder } from "./temporary.ts";

const asRoot = process.getuid?.() === 0;

/** The program, not waited for. */
const begin = (flow: Flow, ...args: string[]) =>
  // In separate sessions they would belong to other runs: here they belong to a script.
  startChild(
    process.execPath,
    [
      join(REPOSITORY, "plugins", flow.layout.plugin, "dist/cli.cjs"),
      `--layout=${flow.layout.id}`,
      ...args,
    ],
    { cwd: flow.root, env: flow.env },
  );

/** Also of a journal that a crash has torn. */
const entriesOf = ({ folder, layout }: Flow) =>
  parseJournal(readFileSync(join(folder, layout.journalFile), "utf8"));

/** Every file of the state can be read, and the spec continues. */
function expectWhole(flow: Flow): void {
  const names = readdirSync(flow.folder);
  expect(names.filter((name) => name.endsWith(".tmp") || name.includes("lock"))).toEqual([]);
  expect(entriesOf(flow).length).toBeGreaterThan(0);
  expect(flow.state()).toBeTypeOf("object");
}

describe(specum.plugin, () => {
  const layout = specum;
  const specs = layout.specsDirs[0];
  const [first, second] = layout.phases as [Phase, Phase];

  it.each<[what: string, files: Record<string, string>]>([
    ["the folder", { [`${nameIn(layout)}/`]: "" }],
    ["the notes", { [`${nameIn(layout)}/.progress.md`]: `## Original Goal\n\n${GOAL}\n` }],
    [
      "the lock of a dead process",
      {
        [`${nameIn(layout)}/.progress.md`]: `## Original Goal\n\n${GOAL}\n`,
        [`${nameIn(layout)}/${layout.lockFile}`]: "4194304\n",
      },
    ],
    [
      "the journal without a state",
      {
        [`${nameIn(layout)}/.progress.md`]: `## Original Goal\n\n${GOAL}\n`,
        [`${nameIn(layout)}/${layout.journalFile}`]: '{"at":"2026-',
      },
    ],
  ])("continues after it was killed when it had made %s", (_, files) => {
    const made = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [`${specs}/${path}`, text]),
    );
    const flow = makeFlow(layout, made);
    expect(flow.prompt("start", "rate-limit", GOAL)).toContain(`Goal: ${GOAL}\n`);
    expectWhole(flow);
    expect(readdirSync(join(flow.root, specs)).filter((name) => name[0] !== ".")).toEqual([
      nameIn(layout),
    ]);
    expect(flow.json(["status"])).toMatchObject({ standing: `in phase ${first.name}` });
  });

  it("is killed at any moment of start, and continues", async () => {
    const flow = makeFlow(layout);
    const cli = join(REPOSITORY, "plugins", layout.plugin, "dist/cli.cjs");
    for (let delay = 20; delay <= 140; delay += 20) {
      const typed = typeSlash(flow.env["HOME"] as string, SESSION, ["start", "rate-limit", GOAL]);
      const child = spawn(process.execPath, [cli, `--layout=${layout.id}`, ...typed], {
        cwd: flow.root,
        env: { ...flow.env, ...IN_SESSION.env },
        stdio: "ignore",
      });
      setTimeout(() => child.kill("SIGKILL"), delay);
      await endOf(child);
    }
    expect(flow.type("start", "rate-limit", GOAL).code).toBe(0);
    expect(flow.read(".progress.md")).toContain(GOAL);
    expect(flow.state()).toMatchObject({ phase: first.name });
  }, 60_000);

  it("runs each of many simultaneous commands completely, one after the other", async () => {
    const flow = makeFlow(layout);
    expect(flow.run(["start", "rate-limit", GOAL]).code).toBe(0);
    flow.write(first.document);
    const typed = [first.name, second.name];
    const lines = ["submit", ...typed, "submit", "status", ...typed, "submit"];
    const ran = await Promise.all(lines.map((line) => begin(flow, ...line.split(" "))));
    for (const [i, { code, err }] of ran.entries())
      expect([EXIT.ok, EXIT.refused], `${lines[i]}: ${err}`).toContain(code);
    expectWhole(flow);
    expect(entriesOf(flow).length).toBeGreaterThanOrEqual(1 + typed.length * 2);
  }, 60_000);

  it("says so if a folder cannot be written, and leaves nothing", () => {
    const flow = makeFlow(layout, { [`${specs}/`]: "" });
    const nobody = asRoot ? { uid: 65_534 } : {};
    chmodSync(join(flow.root, specs), 0o555);
    chmodSync(join(flow.root, specs.split("/")[0] ?? ""), 0o555);
    const { code, err } = flow.run(["start", GOAL], nobody);
    expect(err).toMatch(/cannot be used: permission is denied; fix that/);
    expect(code).toBe(EXIT.broken);
    expect(readdirSync(join(flow.root, specs))).toEqual([]);
  });

  it("comes to an end in a folder that cannot be listed", () => {
    const flow = startFlow(layout);
    const nobody = asRoot ? { uid: 65_534 } : {};
    for (const name of [specs, specs.split("/")[0] ?? ""]) chmodSync(join(flow.root, name), 0o333);
    const { code, err } = flow.run(["new", "rate-limit", GOAL], nobody);
    expect(err).toMatch(/"[\w-]+" already exists/);
    expect(code).toBe(EXIT.refused);
    for (const name of [specs, specs.split("/")[0] ?? ""]) chmodSync(join(flow.root, name), 0o755);
  });

  it("ignores a spec that is a link out of the project", () => {
    const outside = makeFolder();
    mkdirSync(join(outside, "theirs"));
    const flow = makeFlow(layout, { [`${specs}/`]: "" });
    symlinkSync(join(outside, "theirs"), join(flow.root, specs, "their-spec"));
    writeFileSync(join(flow.root, pointerOf(layout)), "their-spec\n");
    for (const args of [
      ["start"],
      ["start", "their-spec"],
      [second.name],
      [second.name, "their-spec"],
    ])
      expect(flow.type(...args).code, args.join(" ")).not.toBe(0);
    expect(readdirSync(join(outside, "theirs"))).toEqual([]);
  });

  it("creates nothing through notes or pointers that are links out", () => {
    const outside = makeFolder();
    writeFileSync(join(outside, "mine"), "mine\n");
    const flow = makeFlow(layout, { [`${specs}/${nameIn(layout)}/`]: "" });
    symlinkSync(join(outside, "mine"), join(flow.folder, ".progress.md"));
    symlinkSync(join(outside, "mine"), join(flow.folder, layout.stateFile));
    symlinkSync(join(outside, "mine"), join(flow.root, pointerOf(layout)));
    flow.type("start", nameIn(layout), GOAL);
    flow.type("new", "other-one");
    expect(readFileSync(join(outside, "mine"), "utf8")).toBe("mine\n");
    expect(readdirSync(outside)).toEqual(["mine"]);
  });

  it("takes a goal of a megabyte, keeps it whole, and shows as much as a prompt can hold", () => {
    const flow = makeFlow(layout).at(nameIn(layout, "word"));
    const goal = `word ${"word ".repeat(200_000)}end`;
    const { code, out } = flow.type("start", goal);
    expect(code).toBe(0);
    expect(out.length).toBeLessThan(6000);
    expect(out).toMatch(/… \(all of it: \.\/\S+\/\.progress\.md\)/);
    const word = readdirSync(join(flow.root, specs)).find((name) => name.includes("word")) ?? "";
    expect(flow.at(word).read(".progress.md")).toContain(goal);
    expect(flow.run(["context"]).out.length).toBeLessThan(6000);
    expect(flow.run(["template", first.document]).out.length).toBeLessThan(10_000);
    expect(flow.run(["status"]).code).toBe(0);
  });

  it("keeps a goal that looks like notes itself", () => {
    const flow = makeFlow(layout);
    const goal = "Fix the parser\n\n## Interview\n\nforged\n# Top\nend";
    expect(flow.type("start", "rate-limit", goal).code).toBe(0);
    expect(flow.type("start").out).toContain("forged");
    expect(flow.read(".progress.md").match(/^## Interview$/gm)).toHaveLength(1);
  });

  it("a spec that was removed by hand is reported as gone", () => {
    const flow = startFlow(layout);
    rmSync(flow.folder, { recursive: true });
    expectRefusal(flow.type(second.name), EXIT.missing, /is out of date, there is no/);
    expectRefusal(flow.type("start"), EXIT.usage, /say what you want to build/);
    expect(flow.stop()).toEqual({});
  });
});

it("works in a submodule, whose own repository gets the commits", () => {
  const inner = makeGitFlow(specum);
  const outer = makeGitFlow(specum);
  outer.git.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.root, "sub");
  outer.git.commit();
  const flow = openFlow(
    specum,
    join(outer.root, "sub"),
    "rate-limit",
    outer.env["HOME"] ?? "",
    GIT_ENV,
  );
  startFlow(specum, flow);
  flow.write("research.md");
  const head = outer.git.git("rev-parse", "HEAD");
  expect(flow.json(["submit"])["commit"]).toBe(flow.git.git("rev-parse", "--short", "HEAD"));
  expect(outer.git.git("rev-parse", "HEAD")).toBe(head);
  expect(flow.git.git("status", "--porcelain")).toBe("");
});
