import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { begin } from "./commit-run.ts";
import type { Place } from "./support.ts";
import { makeFolder } from "./temporary.ts";

const finish = (place: Place, env: Readonly<Record<string, string>>) =>
  place.json(["done", "1.1", "--report", "TASK_COMPLETE"], { env });

it("a git that is first in the agent's PATH is not asked about its work", () => {
  const { place, root } = begin();
  writeFileSync(join(root, "a.txt"), "not committed\n");
  const bin = makeFolder();
  const asked = join(makeFolder(), "asked");
  writeFileSync(join(bin, "git"), `#!/bin/sh\ntouch '${asked}'\n`, { mode: 0o755 });
  const answer = finish(place, { PATH: `${bin}:${place.env["PATH"]}` });
  expect(answer).toMatchObject({ code: EXIT.refused });
  expect(answer["refusal"]).toContain("a.txt");
  expect(existsSync(asked)).toBe(false);
});

it("git does not take its settings from the agent's environment either", () => {
  const { place, root } = begin();
  writeFileSync(join(root, "a.txt"), "not committed\n");
  const all = join(makeFolder(), "ignored");
  writeFileSync(all, "*\n");
  const answer = finish(place, {
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.excludesFile",
    GIT_CONFIG_VALUE_0: all,
  });
  expect(answer).toMatchObject({ code: EXIT.refused });
  expect(answer["refusal"]).toContain("a.txt");
});
