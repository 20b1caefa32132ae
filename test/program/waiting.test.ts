import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { send, work } from "./agents.ts";
import { expectRefusal, IN_SESSION, makePlace, type Place, startPlace } from "./support.ts";

const layout = specum;

describe(specum.plugin, () => {
  it("pause lets the agent stop until resume, and can be repeated", () => {
    const place = startPlace(layout);
    expect(place.run(["pause"]).out).toBe(
      `Paused. The agent may stop now; /${layout.plugin}:resume continues.\n`,
    );
    expect(place.json(["pause"])).toMatchObject({
      code: 0,
      ok: true,
      event: "paused",
      changed: false,
    });
    expect(place.entries().map(({ event }) => event)).toEqual(["start", "paused"]);
    expect(place.stop()).toEqual({
      systemMessage: expect.stringContaining("paused at Task 1/3") as string,
    });
    expect(place.slash(["resume"]).out).toContain("Task 1.1 → ");
    expect(place.state()).toMatchObject({ paused: false });
    expect(place.stop()).toMatchObject({ decision: "block" });
  });

  it("await-approval waits with a question until approve, and both can be repeated", () => {
    const place = startPlace(layout);
    const ask = ["await-approval", "--reason", "Drop the\ntable?"];
    expect(place.json(ask)).toMatchObject({ code: 0, ok: true, changed: true });
    expect(place.json(ask)).toMatchObject({ code: 0, ok: true, changed: false });
    const { systemMessage } = place.stop();
    expect(systemMessage).toMatch(
      /^[^\n]*waiting for your approval at Task 1\/3 \(Drop the table\?\)/,
    );
    expect(place.stop()).not.toHaveProperty("decision");
    expect(place.slashJson(["approve"])).toMatchObject({ code: 0, changed: true });
    expect(place.slashJson(["approve"])).toMatchObject({ code: 0, changed: false });
    expect(place.state()).not.toHaveProperty("approvalReason");
    expect(place.stop()).toMatchObject({ decision: "block" });
    expect(place.entries().map(({ event }) => event)).toEqual([
      "start",
      "awaiting",
      "approved",
      "continue",
    ]);
  });

  it("approve hands out what is next, so that no turn is spent on asking; the agent counts as ever", () => {
    const place = startPlace(layout);
    const turns = () => place.entries().at(-1)?.loop.iteration;
    const started = place.slash(["resume"]).out;
    place.run(["await-approval", "--reason", "Now?"]);
    place.stop();
    const { out } = place.slash(["approve"]);
    expect(out).toMatch(/^Approved\.\nStart this agent, with the prompt "1\.1":\nTask 1\.1 → /);
    expect(started).toContain(out.split("\n").slice(1).join("\n").trim());
    expect(turns()).toBe(1);
    expect(work(place, "1.1").context).toContain("Task 1.2 → ");
    expect(turns()).toBe(2);
  });

  it.each([
    ["the run is paused", (place: Place) => place.run(["pause"])],
    ["an agent is out", (place: Place) => send(place, "1.1")],
  ])("approve hands out nothing while %s", (_, prepare) => {
    const place = startPlace(layout);
    prepare(place);
    place.run(["await-approval", "--reason", "Now?"]);
    expect(place.slash(["approve"]).out).toBe("Approved.\nEnd your turn; the loop continues.\n");
  });

  it("approve lets the program run what needs no agent", () => {
    const place = startPlace(layout, {
      [`${layout.specsDirs[0]}/demo/tasks.md`]:
        "- [ ] 1.1 [VERIFY] a\n  - **Verify**: `test -d .`\n",
    });
    place.run(["await-approval", "--reason", "Now?"]);
    expect(place.slash(["approve"]).out).toContain("itself: end your turn now.");
  });

  it("approve is only for the user, who may name the spec as the refusal does", () => {
    const place = startPlace(layout);
    place.run(["await-approval", "--reason", "Now?"]);
    expectRefusal(
      place.run(["approve"], IN_SESSION),
      EXIT.refused,
      "only the user can run approve",
      `/${layout.plugin}:approve demo does it`,
    );
    expect(place.state()).toMatchObject({ awaitingApproval: true });
    expect(place.slash(["approve", "demo"])).toMatchObject({ code: 0, err: "" });
    expect(place.state()).toMatchObject({ awaitingApproval: false });
  });

  it("resume gives a pending approval", () => {
    const place = startPlace(layout);
    place.run(["await-approval", "--reason", "Now?"]);
    expect(place.slash(["resume"]).code).toBe(0);
    expect(place.state()).toMatchObject({ awaitingApproval: false });
    expect(place.state()).not.toHaveProperty("approvalReason");
  });

  it("pause works even without a tasks.md, as the agent is told to do then", () => {
    const place = startPlace(layout);
    rmSync(join(place.folder, "tasks.md"));
    expect(place.json(["pause"])).toMatchObject({ code: 0, ok: true, changed: true });
    expect(place.stop()).not.toHaveProperty("decision");
  });

  it.each([["pause"], ["await-approval"], ["approve"]])("%s needs a run", (verb) => {
    const place = makePlace(layout);
    expectRefusal(
      place.slash([verb]),
      EXIT.missing,
      new RegExp(
        `${layout.unit} "demo" is not running; start it with /${layout.plugin}:implement demo`,
      ),
    );
  });

  it("resume starts what is not on", () => {
    const place = makePlace(layout);
    expect(place.slashJson(["resume"])).toMatchObject({ code: 0, ok: true, next: ["1.1"] });
  });
});
