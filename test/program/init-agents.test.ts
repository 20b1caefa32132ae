import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { binOf, makePlace } from "./no-clients.ts";
import { expectRefusal, findingOf, IN_SESSION, type Place, userFileOf } from "./support.ts";
import { fillFolder } from "./temporary.ts";

const fileOf = ({ root }: Place): string => join(root, userFileOf(specum));

describe("init --agent", () => {
  it("shows the line, writes it when told, for nobody else to write, and then has nothing to do", () => {
    const place = makePlace(specum);
    const args = ["init", "--agent", "claude:opus, codex"];
    const { out } = place.run(args);
    expect(out).toContain(`Would write ${fileOf(place)}:\n  + agents: [claude:opus, codex]\n`);
    expect(out).toContain("init --agent claude:opus,codex --yes does it");
    expect(existsSync(fileOf(place))).toBe(false);
    expect(place.json([...args, "--yes"])).toMatchObject({
      written: true,
      agents: ["claude:opus", "codex"],
    });
    expect(readFileSync(fileOf(place), "utf8")).toBe("---\nagents: [claude:opus, codex]\n---\n");
    if (process.platform !== "win32") expect(statSync(fileOf(place)).mode & 0o777).toBe(0o600);
    expect(place.run([...args, "--yes"]).out).toContain("says so already");
    place.run(["init", "--agent", "qwen", "--yes"]);
    expect(readFileSync(fileOf(place), "utf8")).toBe("---\nagents: [qwen]\n---\n");
  });

  it("takes the first that is installed", () => {
    const place = makePlace(specum, { "../bin/qwen": "#!/bin/sh\necho 0.24.4\n" });
    const env = { PATH: `${binOf(place, "qwen")}${delimiter}${place.env["PATH"]}` };
    expect(place.run(["init", "--agent", "auto"], { env }).out).toMatch(/\+ agents: \[\w+\]/);
  });

  it("is refused to an agent, for names that are none, and where the file does not count", () => {
    const place = makePlace(specum);
    const run = (name: string, options = {}) =>
      place.run(["init", "--agent", name, "--yes"], options);
    expectRefusal(run("codex", IN_SESSION), EXIT.refused, /init/);
    expectRefusal(run("../x"), EXIT.usage, /write claude, or claude:opus,codex/);
    expect(existsSync(fileOf(place))).toBe(false);
    fillFolder(place.root, { [userFileOf(specum)]: "---\nagents: x\nagents: y\n---\n" });
    expectRefusal(run("codex"), EXIT.refused, /write agents: \[codex\] there yourself/);
    chmodSync(fileOf(place), 0o666);
    expectRefusal(run("codex"), EXIT.refused, /does not count/);
  });
});

it("doctor says whom run could start, and which of those chosen is not there", () => {
  const place = makePlace(specum, { [userFileOf(specum)]: "---\nagents: [kluade]\n---\n" });
  expect(findingOf(place, "agents")).toMatchObject({
    severity: "warning",
    message: "your settings name the agent kluade, which is not installed",
  });
  fillFolder(place.root, {
    [userFileOf(specum)]: "---\nagents: [kluade]\nacp: [kluade=/opt/kluade --acp]\n---\n",
  });
  expect(findingOf(place, "agents")).toMatchObject({
    severity: "ok",
    message: expect.stringContaining("kluade") as string,
  });
});
