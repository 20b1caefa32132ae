import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { makeNight, type Night } from "./night.ts";
import { COMPLETE, fileOf, scene } from "./scenes.ts";

const GIT = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();

/** A git that fails to list uncommitted files so many times after an agent has ended. */
const failing = (times: number): string => `#!/bin/sh
asked="$HOME/count/asked"
case "$*" in *"--porcelain=v2 --branch"*)
  if test -f "$HOME/count/slow" && test "$(cat "$asked" 2>/dev/null | wc -l)" -lt ${times}; then
    echo x >> "$asked"
    echo "fatal: the disk is asleep" >&2
    exit 128
  fi
esac
exec ${GIT} "$@"
`;

/** Every task has only one attempt. */
const nightWith = (times: number): Night =>
  makeNight({
    settings: "default_max_iterations: 1",
    rows: [{ id: "1.1" }, { id: "1.2" }],
    programs: { git: failing(times) },
    scenes: [
      scene("1.1", [
        { write: fileOf("1.1"), text: "done\n" },
        { run: 'touch "$HOME/count/slow"' },
        COMPLETE,
      ]),
    ],
  });

const startsOf = (night: Night): number[] =>
  night
    .events()
    .flatMap((one) => (one.kind === "attempt-started" && one.task === "1.1" ? [one.attempt] : []));

it("a git that does not answer at first is asked again, and nothing passes meanwhile", async () => {
  const night = nightWith(2);
  const { code } = await night.run();
  expect(code).toBe(0);
  expect(startsOf(night)).toEqual([1]);
  const heard = night.entries().filter(({ task }) => task === "1.1");
  const events = heard.map(({ event }) => event).filter((one) => /^(?:refused|done)$/.test(one));
  expect(events).toEqual(["refused", "done"]);
  expect(heard.find(({ event }) => event === "refused")?.note).toMatch(
    /^1\.1 could not be checked: fatal: the disk is asleep\. Report it again\./,
  );
  expect(night.work()).toEqual(["feat: task 1.2", "feat: task 1.1", "begin"]);
});

it("a git that does not answer for long costs no attempt: the task is handed out again", async () => {
  const night = nightWith(6);
  const { code } = await night.run();
  expect(code).toBe(0);
  expect(startsOf(night)).toEqual([1, 1]);
  expect(night.work()).toEqual(["feat: task 1.2", "feat: task 1.1", "begin"]);
});
