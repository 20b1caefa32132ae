import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { specum } from "../../support/editions.ts";
import { GIT_ENV } from "../../support/repository.ts";
import { runChild } from "../child.ts";
import { openPlace, type Place, SESSION } from "../support.ts";
import { makeNight, type Night, PROGRAM } from "./night.ts";
import { COMPLETE, fileOf, honest, scene } from "./scenes.ts";

/** The same project, as a client's hooks see it. */
const clientIn = (night: Night): Place =>
  openPlace(specum, night.root, night.spec, night.home, GIT_ENV);

it("only the user takes over a run from a client's session: a script is refused", async () => {
  const night = makeNight({ rows: [{ id: "1.1" }] });
  const client = clientIn(night);
  expect(client.slash(["implement", "demo"]).code).toBe(0);
  const before = client.tasks();
  const { code, err, out } = await night.wait(night.start());
  expect(code).toBe(1);
  expect(out + err).toContain("belongs to a session of the client");
  expect(client.tasks()).toBe(before);
  expect(client.stop().reason, "the client goes on").toContain("1.1");
});

it("a spec that was begun in a client and given up there is finished by run", async () => {
  const night = makeNight({ rows: [{ id: "1.1" }, { id: "1.2" }] });
  const client = clientIn(night);
  expect(client.slash(["implement", "demo"]).code).toBe(0);
  night.commit({ [fileOf("1.1")]: "done\n" }, "by the client");
  const done = client.run(["done", "1.1", "--report", "TASK_COMPLETE"], {
    env: { CLAUDE_CODE_SESSION_ID: SESSION },
  });
  expect(done).toMatchObject({ code: 0 });
  expect(client.slash(["cancel", "demo"]).code).toBe(0);
  const { code, events } = await night.run();
  expect(code).toBe(0);
  const starts = events.flatMap((one) => (one.kind === "attempt-started" ? [one.task] : []));
  expect(starts, "what is proven is not done again").toEqual(["1.2"]);
});

it("a spec that run began is taken and finished in a client", async () => {
  const night = makeNight({
    rows: [{ id: "1.1" }, { id: "1.2" }],
    settings: "default_max_iterations: 1",
    scenes: [scene("1.2", [{ report: "I cannot.\nTASK_BLOCKED" }])],
  });
  const { code } = await night.run();
  expect(code).not.toBe(0);
  const taken = night.cli("take", "demo", "--yes");
  expect(taken).toMatchObject({ code: 0 });
  expect(night.git("log", "--format=%s")).toContain("feat: task 1.1");
  const client = clientIn(night);
  expect(client.tasks()).toContain("- [x] 1.1");
  expect(night.cli("answer", "1", "do it by hand")).toMatchObject({ code: 0 });
  expect(client.slash(["resume", "demo"])).toMatchObject({ code: 0 });
  night.commit({ [fileOf("1.2")]: "done\n" }, "by hand");
  const ran = client.run(["done", "1.2", "--report", "TASK_COMPLETE"], {
    env: { CLAUDE_CODE_SESSION_ID: SESSION },
  });
  expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: "" });
  expect(client.tasks()).not.toContain("- [ ]");
});

it("a run that is taken halfway goes on with run, on top of the user's branch", async () => {
  const night = makeNight({ rows: [{ id: "1.1" }, { id: "1.2" }] });
  const count = night.counter("limit");
  night.scenes([scene("1.2", [{ first: 1, count, steps: [{ limit: 3600 }] }, ...honest("1.2")])]);
  expect((await night.run(["--no-wait"])).code).toBe(7);
  expect(night.cli("take", "demo", "--yes")).toMatchObject({ code: 0 });
  const { code, events } = await night.run();
  expect(code).toBe(0);
  const starts = events.flatMap((one) => (one.kind === "attempt-started" ? [one.task] : []));
  expect(starts).toEqual(["1.2"]);
  expect(night.cli("take", "demo")).toMatchObject({ code: 0 });
  const work = night.git("log", "--format=%s").split("\n");
  for (const id of ["1.1", "1.2"])
    expect(work.filter((one) => one === `feat: task ${id}`)).toHaveLength(1);
});

it("a project that was copied in the middle of a run is gone on with", async () => {
  const night = makeNight({
    settings: "default_max_iterations: 1",
    rows: [{ id: "1.1" }, { id: "1.2" }],
    scenes: [scene("1.2", [COMPLETE])],
  });
  expect((await night.run()).code).toBe(1);
  expect(night.cli("take", "demo", "--yes").code).toBe(0);
  const copy = join(night.home, "copy");
  cpSync(night.root, copy, { recursive: true });
  night.scenes([]);
  const args = [PROGRAM, "run", "demo", "--agent", "demo", "--json"];
  const { code, out, err } = runChild(process.execPath, args, { cwd: copy, env: night.env });
  expect({ code, err }, out).toEqual({ code: 0, err: "" });
});
