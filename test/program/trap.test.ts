import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Phase } from "../../src/layouts/layout.ts";
import { layouts, specum } from "../support/editions.ts";
import { fewOf } from "../support/full.ts";
import { layTrap, plantRepository } from "../support/trap.ts";
import { IDLE } from "./claims.ts";
import { makeFlow, makeGitFlow, startFlow } from "./flow.ts";
import { IN_SESSION } from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

describe.each(fewOf(layouts))(
  "$plugin: a spec's folder that looks like a bare repository",
  (layout) => {
    const [first] = layout.phases as [Phase];

    it("has its document committed by a stop in quick mode, and nothing of it is run", () => {
      const flow = startFlow(layout, makeGitFlow(layout), "--quick");
      const marker = layTrap(flow.folder);
      flow.write(first.document);
      expect(flow.stop().decision).toBe("block");
      expect(flow.git.git("log", "-1", "--format=", "--name-only")).toContain(`/${first.document}`);
      expect(existsSync(marker)).toBe(false);
    });

    it("has its tasks done, and nothing of it is run", () => {
      const flow = makeGitFlow(layout);
      fillFolder(flow.folder, { "tasks.md": "# Tasks\n\n- [ ] 1.1 First\n" });
      flow.git.commit();
      flow.type("implement");
      const marker = layTrap(flow.folder);
      const done = flow.run(["done", "1.1", "--report", IDLE], IN_SESSION);
      expect(done).toMatchObject({ code: 0, err: "" });
      expect(existsSync(marker)).toBe(false);
    });
  },
);

it("an empty .git above a project does not draw its specs there", () => {
  const flow = makeFlow(specum);
  const above = join(flow.root, "..");
  mkdirSync(join(above, ".git"));
  expect(flow.type("start", "rate-limit", "Count requests")).toMatchObject({ code: 0 });
  expect(existsSync(join(flow.root, "specs/rate-limit"))).toBe(true);
  expect(readdirSync(above)).not.toContain("specs");
});

describe.each(fewOf(layouts))(
  "$plugin: a repository that an agent creates around a spec",
  (layout) => {
    const [first] = layout.phases as [Phase];

    function plantIn(folder: string): string {
      const mark = join(makeFolder(), "mark");
      execFileSync("sh", ["-c", plantRepository(folder, mark)]);
      return mark;
    }

    it("does not get a claim, and nothing of it is run", () => {
      const flow = makeGitFlow(layout);
      fillFolder(flow.folder, { "tasks.md": "# Tasks\n\n- [ ] 1.1 First\n" });
      flow.git.commit();
      flow.type("implement");
      const specs = join(flow.folder, "..");
      const mark = plantIn(specs);
      const done = () => flow.run(["done", "1.1", "--report", IDLE], IN_SESSION);
      expect(done().out).toContain("specs became a repository of its own");
      flow.stop();
      expect(existsSync(mark)).toBe(false);
      rmSync(join(specs, ".git"), { recursive: true });
      expect(done()).toMatchObject({ code: 0, err: "" });
    });

    it("does not get a document's commit at a stop in quick mode", () => {
      const flow = startFlow(layout, makeGitFlow(layout), "--quick");
      flow.git.commit();
      const mark = plantIn(join(flow.folder, ".."));
      flow.write(first.document);
      expect(flow.stop().decision).toBe("block");
      expect(flow.git.git("log", "-1", "--format=", "--name-only")).toContain(`/${first.document}`);
      expect(existsSync(mark)).toBe(false);
    });
  },
);
