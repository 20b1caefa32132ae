import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { faultsIn, type Ran, REPOSITORY, runChild } from "../program/child.ts";
import { tickByHand } from "../program/claims.ts";
import { runGate } from "../program/gate.ts";
import { codeFolder, findingOf, makePlace, openPlace, type Place } from "../program/support.ts";
import { fillFolder, makeFolder } from "../program/temporary.ts";
import { layouts, specum } from "../support/editions.ts";
import { NODES } from "./install.ts";

/** Documents that are complete. */
const STORY = join(REPOSITORY, "scripts/record/story");

/** Everything that a user's node runs, with one version of it. */
export function describeNode(version: (typeof NODES)[number]): void {
  const programOf = (one: string): string => {
    const installed = inject("nodes")[one];
    return installed !== undefined && "program" in installed ? installed.program : "";
  };
  const program = programOf(version);
  const another = NODES.filter((one) => one !== version)
    .map(programOf)
    .find((one) => one !== "");

  const placeWith = ({ layout, root, folder, env }: Place, node: string | undefined): Place =>
    openPlace(layout, root, folder, env["HOME"] as string, {}, node);
  const withNode = (place: Place): Place => placeWith(place, program);
  const startRun = (layout = specum): Place => {
    const place = withNode(makePlace(layout));
    expect(place.slash(["implement", "demo"])).toMatchObject({ code: 0, err: "" });
    return place;
  };

  // The reason is in the output of the setup.
  describe.skipIf(program === "")(`Node ${version}`, () => {
    describe("the hook", () => {
      /** As the client runs it; the second time with what the first one kept. */
      const stop = (place: Place): Ran => runGate(place);

      it.each(layouts)("hands out and finishes: $id", (layout) => {
        const place = startRun(layout);
        for (const iteration of [2, 3]) {
          const { code, out, err } = stop(place);
          expect({ code, err: faultsIn(err) }).toEqual({ code: 0, err: "" });
          expect(JSON.parse(out)).toMatchObject({
            decision: "block",
            reason: expect.stringContaining(`(Task 1/3, Iter ${iteration})`) as string,
          });
        }
        for (const id of ["1.1", "1.2", "1.3"]) tickByHand(place, id);
        const { out } = stop(place);
        expect(JSON.parse(out)).toEqual({
          systemMessage: expect.stringContaining(
            "summary and receipt are in .progress.md",
          ) as string,
        });
        expect(place.state()).toBeUndefined();
        const kept = readdirSync(codeFolder(place));
        expect(kept).toContainEqual(expect.stringMatching(/^hook-body-/));
        expect(kept.filter((name) => !name.includes(`-v${version}-`))).toEqual([]);
      });

      it("reports a broken state once", () => {
        const place = startRun();
        fillFolder(place.folder, { [specum.stateFile]: '{"phase": "exec' });
        const { code, out, err } = stop(place);
        expect({ code, err: faultsIn(err) }).toEqual({ code: 0, err: "" });
        expect((JSON.parse(out) as { reason: string }).reason).toContain("it is not valid JSON");
        expect(stop(place)).toMatchObject({ code: 0, out: "" });
      });

      it("goes from phase to phase in quick mode", () => {
        const place = withNode(
          makePlace(specum, {
            "specs/.current-spec": "demo\n",
            "specs/demo/.ralph-state.json": '{"phase": "research", "quickMode": true}',
          }),
        );
        const reason = (): string => (JSON.parse(stop(place).out) as { reason: string }).reason;
        expect(reason()).toContain("specs/demo/research.md");
        cpSync(join(STORY, "research.md"), join(place.folder, "research.md"));
        expect(reason()).toContain("phase requirements of spec `demo`");
      });

      it("stops silently if there is nothing to decide", () => {
        expect(stop(withNode(makePlace(specum)))).toEqual({ code: 0, out: "", err: "" });
      });
    });

    it("the hook does not trust what another version compiled", () => {
      const place = startRun();
      const data = codeFolder(place);
      rmSync(data, { recursive: true });
      const neighbour = placeWith(place, another);
      expect(JSON.parse(runGate(neighbour).out)).toMatchObject({ decision: "block" });
      const [other] = readdirSync(data) as [string];
      const name = other.replace(/v\d+\.\d+\.\d+/, `v${version}`);
      expect(name).not.toBe(other);
      copyFileSync(join(data, other), join(data, name));
      const foreign = readFileSync(join(data, name));
      for (let time = 0; time < 2; time++) {
        const { code, out, err } = runGate(place);
        expect({ code, err: faultsIn(err) }).toEqual({ code: 0, err: "" });
        expect(JSON.parse(out)).toMatchObject({ decision: "block" });
      }
      expect(readFileSync(join(data, name)).equals(foreign)).toBe(false);
      // And the other one has its own still.
      expect(readFileSync(join(data, other)).equals(foreign)).toBe(true);
    });

    it("the program goes from a goal to proven tasks", () => {
      const root = fillFolder(join(makeFolder(), "project"), {
        ".git/HEAD": "ref: refs/heads/main\n",
        ".git/objects/": "",
        ".git/refs/": "",
      });
      const place = openPlace(specum, root, join(root, "specs/greet"), root, {}, program);
      // From a shell: an agent may not approve its own documents.
      const run = (...args: string[]): string => {
        const { code, out, err } = place.run(args);
        // A prompt is announced as one.
        expect(err, args.join(" ")).toMatch(
          /^(?:.*: what follows is a prompt for a coding agent;.*\n)?$/,
        );
        expect(code, args.join(" ")).toBe(0);
        return out;
      };
      expect(run("start", "greet", "Say hello to whoever asks")).toContain("phase research");
      expect(place.run(["submit"]).code).toBe(1);
      for (const phase of ["research", "requirements", "design", "tasks"]) {
        if (phase !== "research") run(phase, ...(phase === "tasks" ? ["--write"] : []));
        cpSync(join(STORY, `${phase}.md`), join(place.folder, `${phase}.md`));
        expect(run("submit")).toContain(`${phase}.md is complete`);
      }
      expect(run("tasks", "lint")).toContain("0 errors");
      fillFolder(place.folder, {
        "tasks.md": "- [ ] 1.1 First\n  - **Verify**: `node --version`\n- [ ] 1.2 Second\n",
      });
      expect(run("implement")).toContain("2 of 2 tasks are open");
      for (const id of ["1.1", "1.2"]) {
        expect(run("done", id, "--report", "TASK_COMPLETE")).toContain(`${id} is done`);
      }
      expect(JSON.parse(run("evidence", "1.1", "--json"))).toMatchObject({
        tasks: [{ evidence: [{ outcome: "passed", tail: `v${version}` }] }],
      });
      expect(run("trace")).toContain("1.1 First");
      expect(place.stop()).toMatchObject({
        systemMessage: expect.stringContaining("1 proven by its Verify") as string,
      });
      expect(place.state()).toBeUndefined();
      expect(run("status")).toContain("greet");
      expect(findingOf(place, "node")).toMatchObject({
        severity: "ok",
        message: `node ${version}`,
      });
    });

    it("the plugin's own command finds it, and the demo plays to its end", () => {
      const place = startRun();
      const bin = join(REPOSITORY, "plugins/ralph-specum/bin/ralph-specum");
      const options = { cwd: place.root, env: { ...place.env, TMPDIR: makeFolder() } };
      expect(runChild(bin, ["next"], options)).toMatchObject({ code: 0, err: "" });
      const { code, out, err } = runChild(bin, ["demo", "--fast"], { ...options, timeout: 40_000 });
      expect({ code, err: faultsIn(err) }).toEqual({ code: 0, err: "" });
      expect(out).toContain("3 false claims, none believed");
    });
  });
}
