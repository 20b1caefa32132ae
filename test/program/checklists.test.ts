import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { speckit, specum } from "../support/editions.ts";
import { send } from "./agents.ts";
import { enterPhase, type Flow, makeGitFlow, nameIn, startFlow } from "./flow.ts";
import { expectRefusal } from "./support.ts";
import { fillFolder } from "./temporary.ts";

const OWN = "checklists/requirements.md";
const UX = "# UX\n\n- [x] CHK001 Is the empty state described?\n- [ ] CHK002 Is `fast` a number?\n";
const DESPITE = "--despite-checklists";

/** A feature whose documents are written, and all its own checklist ticked. */
function planned(): Flow {
  const flow = startFlow(speckit, makeGitFlow(speckit));
  enterPhase(flow, "tasks");
  flow.write("tasks.md");
  return flow;
}

describe("specify", () => {
  it("begins a checklist about spec.md, every item open, and leaves one that is there alone", () => {
    const flow = startFlow(speckit);
    const text = flow.read(OWN);
    expect(text).toMatch(/^# Specification Quality Checklist: Rate limit$/m);
    expect(text).toMatch(/^\*\*Created\*\*: \d{4}-\d\d-\d\d$/m);
    expect(text.match(/^- \[ \] /gm)).toHaveLength(16);
    expect(text).not.toMatch(/\{\{|<[a-z]/);
    flow.write(OWN, "- [x] mine\n");
    flow.prompt("specify", nameIn(speckit));
    expect(flow.read(OWN)).toBe("- [x] mine\n");
  });

  it("has none on the short way, nor where the layout knows none", () => {
    for (const flow of [startFlow(specum), startFlow(speckit, undefined, "--small")])
      expect(existsSync(join(flow.folder, "checklists"))).toBe(false);
  });

  it("tells the writer to go through it, and sends back one who has not", () => {
    const flow = startFlow(speckit);
    const { orders } = send(flow, "", { agent: "product-manager", call: "writer" });
    expect(orders).toContain(
      `/${OWN} is there: once spec.md is written, tick each item that holds`,
    );
    const untouched = flow.read(OWN);
    flow.write("spec.md");
    flow.write(OWN, untouched);
    const { out, code } = flow.call("submit");
    expect(code).toBe(EXIT.refused);
    expect(out).toMatch(/checklists\/requirements\.md:\d+ Nothing is ticked\./);
    flow.write(OWN, untouched.replace("- [ ]", "- [x]"));
    expect(flow.call("submit").code).toBe(0);
  });
});

describe("implement", () => {
  it("shows what is open and starts nothing, until the user says so", () => {
    const flow = planned();
    flow.write("checklists/ux.md", UX);
    const { code, out } = flow.type("implement", nameIn(speckit));
    expect(code).toBe(EXIT.refused);
    expect(out).toContain(
      "| requirements.md | 16 | 16 | 0 | ✓ PASS |\n| ux.md | 2 | 1 | 1 | ✗ FAIL |",
    );
    expect(out).toContain("- ux.md:4 CHK002 Is `fast` a number?");
    expect(out).toContain(`/ralph-speckit:implement ${nameIn(speckit)} ${DESPITE}`);
    expect(flow.state()).toMatchObject({ phase: "tasks" });
    expect(flow.typeJson("implement")).toMatchObject({
      code: EXIT.refused,
      ok: false,
      checklists: [
        { name: "requirements.md", passed: true },
        { name: "ux.md", total: 2, passed: false, open: [{ line: 4 }] },
      ],
    });
    expect(flow.type("implement", DESPITE).out).toContain("is now executing");
    expect(flow.state()).toMatchObject({ phase: "execution" });
    expect(flow.read(".progress.md")).toContain(
      "- implement: RISK: begun with ux.md: 1 of 2 items open",
    );
    // They were asked once for this run.
    expect(flow.type("implement").code).toBe(0);
    expect(flow.type("resume").code).toBe(0);
  });

  it("takes nobody's word but the user's", () => {
    const flow = planned();
    flow.write("checklists/ux.md", UX);
    expectRefusal(flow.call("implement", DESPITE), EXIT.refused, /only the user can run implement/);
    expect(flow.state()).toMatchObject({ phase: "tasks" });
  });

  it("starts when every item is ticked, and where there are no lists", () => {
    const flow = planned();
    flow.write("checklists/ux.md", UX.replace("[ ]", "[X]"));
    fillFolder(flow.folder, {
      "checklists/notes.txt": "- [ ] not a list\n",
      "checklists/x.md/": "",
    });
    expect(flow.type("implement").code).toBe(0);
    const bare = planned();
    rmSync(join(bare.folder, "checklists"), { recursive: true });
    expect(bare.type("implement").code).toBe(0);
  });

  it("does not ask about a spec.md that nobody wrote", () => {
    const flow = startFlow(speckit);
    flow.write("tasks.md");
    expect(flow.type("implement").code).toBe(0);
  });

  it("of the other layout asks about nothing", () => {
    const flow = startFlow(specum);
    fillFolder(flow.folder, { "checklists/ux.md": UX });
    flow.write("tasks.md");
    expect(flow.type("implement").code).toBe(0);
  });

  it("in quick mode goes on and says in the end what was open", () => {
    const flow = startFlow(speckit, makeGitFlow(speckit), "--quick", "--full");
    fillFolder(flow.folder, { "checklists/ux.md": UX });
    for (const { document } of speckit.phases) {
      flow.write(document);
      flow.stop();
    }
    expect(flow.state()).toMatchObject({ phase: "execution" });
    expect(flow.read(".progress.md")).toContain("RISK: begun with ux.md: 1 of 2 items open");
    expect(flow.run(["summary"]).out).toContain("begun with ux.md: 1 of 2 items open");
  });

  it("resume of a feature that never ran asks too", () => {
    const flow = planned();
    flow.slash(["cancel"]);
    writeFileSync(join(flow.folder, "checklists", "ux.md"), UX);
    expect(flow.type("resume", nameIn(speckit)).out).toContain("| ux.md | 2 | 1 | 1 | ✗ FAIL |");
  });
});
