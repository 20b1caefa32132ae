import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { end, report } from "./claims.ts";
import {
  expectRefusal,
  IN_SESSION,
  type Place,
  SESSION,
  startPlace,
  userFileOf,
} from "./support.ts";

const layout = specum;

describe("a Verify", () => {
  const tasks = (verify: string): string =>
    `- [ ] 1.1 First\n  - **Verify**: \`${verify}\`\n- [ ] 1.2 Second\n`;
  const begin = (verify = "true", settings = ""): Place =>
    startPlace(layout, {
      [`${layout.specsDirs[0]}/demo/tasks.md`]: tasks(verify),
      ...(settings === "" ? {} : { [userFileOf(layout)]: `---\n${settings}\n---\n` }),
    });

  it("that was changed since the user's implement waits for their approve", () => {
    const place = begin();
    writeFileSync(join(place.folder, "tasks.md"), tasks("touch ran"));
    const refused = place.run(["done", "1.1", "--report", "TASK_COMPLETE"], IN_SESSION);
    expect(refused.out).toMatch(
      /its Verify was changed in tasks\.md after the user started the run, and is not run until the user types \S+:approve/,
    );
    expect(refused.code).toBe(EXIT.refused);
    expect(existsSync(join(place.root, "ran"))).toBe(false);
    expect(place.stop().systemMessage).toMatch(
      /has a Verify that you have not approved: `touch ran`/,
    );
    expect(place.slash(["approve"]).out).toContain("Verify may now run `touch ran`. Approved.");
    expect(report(place)).toMatchObject({ code: 0 });
    expect(existsSync(join(place.root, "ran"))).toBe(true);
  });

  it("that cannot run is replaced before the work, and the new one is tried like any other", () => {
    const place = begin("grep --nonsense x made");
    const handedOut = (): string => place.run(["next"], IN_SESSION).out;
    expect(handedOut()).toContain("Its Verify cannot run");
    place.run(
      ["amend", "1.1", "--verify", "grep -q x made", "--reason", "no --nonsense"],
      IN_SESSION,
    );
    expect(handedOut()).not.toContain("Its Verify cannot run");
    place.slash(["approve"]);
    expect(handedOut()).not.toContain("Its Verify cannot run");
    writeFileSync(join(place.root, "made"), "x");
    expect(report(place)).toMatchObject({ code: 0 });
    expect(place.json(["evidence", "1.1"])).toMatchObject({
      tasks: [{ before: [{ outcome: "failed" }] }],
    });
    const tried = place.entries().filter(({ event }) => event === "before");
    expect(tried.map(({ evidence }) => evidence?.[0]?.command)).toEqual([
      "grep --nonsense x made",
      "grep -q x made",
    ]);
  });

  it("that is replaced after somebody reported on it is not tried: that would not be before the work", () => {
    const place = begin("grep --nonsense x made", "verify_before: true");
    place.slash(["implement", "--allow-amend"]);
    writeFileSync(join(place.root, "made"), "x");
    end(place, { last_assistant_message: "VERIFY_WRONG: 1.1 uses --nonsense" });
    place.run(
      ["amend", "1.1", "--verify", "grep -q x made", "--reason", "no --nonsense"],
      IN_SESSION,
    );
    expect(report(place)).toMatchObject({ code: 0 });
    expect(place.json(["evidence", "1.1"])).toMatchObject({ tasks: [{ before: [] }] });
  });

  it("swapped after it was shown is not agreed to", () => {
    const place = begin();
    writeFileSync(join(place.folder, "tasks.md"), tasks("touch shown"));
    report(place);
    writeFileSync(join(place.folder, "tasks.md"), tasks("touch swapped"));
    const edited = { ...place.state(), approvalReason: "May I go on with the docs?" };
    writeFileSync(join(place.folder, layout.stateFile), JSON.stringify(edited));
    expect(place.stop().systemMessage).toMatch(
      /waiting for you: 1\.1 has a Verify .*`touch shown`/,
    );
    expect(place.slash(["approve"]).out).toContain("Verify may now run `touch shown`.");
    expect(report(place)).toMatchObject({ code: EXIT.refused });
    expect(existsSync(join(place.root, "swapped"))).toBe(false);
  });

  it("that is too long to show is not agreed to by approve", () => {
    const place = begin();
    writeFileSync(join(place.folder, "tasks.md"), tasks(`true ${"x".repeat(300)}; touch ran`));
    report(place);
    expectRefusal(place.slash(["approve"]), EXIT.refused, "too long to show", "implement");
    expect(place.state()).toMatchObject({ awaitingApproval: true });
    expect(report(place)).toMatchObject({ code: EXIT.refused });
  });

  it("that is taken out, or made prose, is asked about", () => {
    const place = begin();
    writeFileSync(join(place.folder, "tasks.md"), "- [ ] 1.1 First\n- [ ] 1.2 Second\n");
    expect(report(place)).toMatchObject({ code: EXIT.refused });
    expect(place.stop().systemMessage).toContain("1.1 no longer has a Verify");
    expect(place.slash(["approve"]).out).toContain("1.1 goes without a Verify.");
    expect(report(place)).toMatchObject({ code: 0 });
  });

  it("of an added task waits too; the copy in a fix does not", () => {
    const place = begin("test -f there");
    place.slash(["implement", "--recovery-mode"]);
    place.run(["fail", "1.1", "--reason", "no"], IN_SESSION);
    place.run(["add", "More", "--after", "1.2", "--verify", "touch ran"], IN_SESSION);
    writeFileSync(join(place.root, "there"), "");
    expect(report(place, "TASK_COMPLETE", "1.1.1")).toMatchObject({ code: 0 });
    expect(report(place)).toMatchObject({ code: 0 });
    expect(report(place, "TASK_COMPLETE", "1.2")).toMatchObject({ code: 0 });
    expect(report(place, "TASK_COMPLETE", "1.2.1")).toMatchObject({ code: EXIT.refused });
    expect(existsSync(join(place.root, "ran"))).toBe(false);
  });

  it("is agreed to by implement again, and not by resume", () => {
    const place = begin();
    writeFileSync(join(place.folder, "tasks.md"), tasks("touch ran"));
    place.slash(["resume"]);
    expect(report(place)).toMatchObject({ code: EXIT.refused });
    expect(place.slash(["implement"]).out).toContain("new since the user last agreed: `touch ran`");
    expect(report(place)).toMatchObject({ code: 0 });
  });

  it("proves nothing about a task that was changed while it ran", () => {
    const file = `${layout.specsDirs[0]}/demo/tasks.md`;
    const swap = `sed -i.bak s/F[i]rst/Other/ ${file}`;
    const place = begin(swap, "verify_before: false");
    expect(report(place)).toMatchObject({
      code: EXIT.refused,
      refusal: expect.stringContaining("was changed in tasks.md while its Verify ran") as string,
    });
    expect(place.tasks()).toContain("- [ ] 1.1 Other");
  });

  it("runs the user's programs, not those that the agent puts in front of its path", () => {
    const place = begin("hello");
    for (const name of ["user", "agent"]) {
      mkdirSync(join(place.root, name));
      writeFileSync(join(place.root, name, "hello"), `#!/bin/sh\necho ${name} > who\n`, {
        mode: 0o755,
      });
    }
    const path = (name: string) => ({
      env: { PATH: `${join(place.root, name)}:${place.env["PATH"]}` },
    });
    place.slash(["implement"], SESSION, path("user"));
    place.run(["done", "1.1", "--report", "TASK_COMPLETE"], path("agent"));
    expect(readFileSync(join(place.root, "who"), "utf8")).toBe("user\n");
    expect(place.entries().find(({ event }) => event === "done")?.evidence).toMatchObject([
      { program: join(place.root, "user", "hello") },
    ]);
  });
});
