import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { ALL_SETTINGS } from "../../src/run/settings-help.ts";
import { layouts, specum } from "../support/editions.ts";
import { makeNight } from "./run/night.ts";
import { expectRefusal, makePlace, type Place, userFileOf } from "./support.ts";

const front = (...lines: readonly string[]): string => `---\n${lines.join("\n")}\n---\n`;

const fileOf = (place: Place): string => join(place.root, userFileOf(place.layout));
const readOwn = (place: Place): string => readFileSync(fileOf(place), "utf8");

interface Shown {
  readonly name: string;
  readonly value: string | null;
  readonly from: string;
  readonly path: string | null;
}

const settingsIn = (place: Place): readonly Shown[] =>
  (place.json(["config"]) as unknown as { readonly settings: readonly Shown[] }).settings;

const shown = (place: Place, name: string): string => {
  const one = settingsIn(place).find((setting) => setting.name === name);
  return `${one?.value} from ${one?.from}`;
};

it.each(layouts)("every setting of $plugin is shown, with where it comes from", (layout) => {
  const place = makePlace(layout, {
    [userFileOf(layout)]: front(
      "verify_timeout: 600",
      "review: on",
      "run_max_cost: $5",
      "agents: [a, b]",
    ),
    [layout.settingsFile]: front(
      "verify_timeout: 300",
      "evidence: off",
      "run_max_cost: 500",
      "tasks_size: fine",
    ),
  });
  expect(settingsIn(place).map(({ name }) => name)).toEqual(ALL_SETTINGS.map(({ name }) => name));
  expect(shown(place, "stall_limit")).toBe("3 from default");
  expect(shown(place, "verify_allow")).toBe("null from default");
  expect(shown(place, "review")).toBe("on from user");
  expect(shown(place, "verify_timeout")).toBe("300 from project");
  expect(shown(place, "tasks_size")).toBe("fine from project");
  expect(shown(place, "evidence")).toBe("required from default");
  expect(shown(place, "run_max_cost")).toBe("$5 from user");
  expect(shown(place, "agents")).toBe("[a, b] from user");
  const { out } = place.run(["config"]);
  expect(out).toContain("  verify_timeout: 300 (the project's)\n    seconds that one Verify");
  expect(out).toContain(`yours: ${fileOf(place)}\nthe project's: ${layout.settingsFile}\n`);
  expect(out).toContain(`${layout.settingsFile}: "evidence: off" is ignored`);
});

it("one setting is shown with everything about it", () => {
  const place = makePlace(specum);
  const { out } = place.run(["config", "Evidence"]);
  for (const line of [
    "evidence: required",
    "recorded: it is run and noted; off",
    "from: default",
    "takes: one of off, recorded, required",
    "in a project's file: only a stricter value counts, in the order off, recorded, required",
  ])
    expect(out).toContain(line);
  expect(place.run(["config", "run_max_cost"]).out).toContain("smart-ralph run --max-cost <usd>");
});

it("a value is written to the user's own file, which is made if it is missing", () => {
  const place = makePlace(specum);
  expect(place.run(["config", "run_setup", "npm", "ci"]).out).toContain(
    "says now: run_setup: npm ci",
  );
  expect(readOwn(place)).toBe("---\nrun_setup: npm ci\n---\n");
  expect(statSync(fileOf(place)).mode & 0o077).toBe(0);
  expect(shown(place, "run_setup")).toBe("npm ci from user");
  place.run(["config", "run_env", "NPM_TOKEN", "AWS_*"]);
  expect(shown(place, "run_env")).toBe("[NPM_TOKEN, AWS_*] from user");
  place.run(["config", "agents", "[claude:opus, codex]"]);
  expect(shown(place, "agents")).toBe("[claude:opus, codex] from user");
  place.run(["config", "weight_trivial", "--", "-5"]);
  expect(shown(place, "weight_trivial")).toBe("-5 from user");
  expect(place.run(["config", "run_setup", "npm ci"]).out).toContain("already");
});

it("a link to the file stays a link", () => {
  const place = makePlace(specum, { "../dotfiles/mine.md": front("strict: true") });
  mkdirSync(dirname(fileOf(place)), { recursive: true });
  symlinkSync(join(place.root, "../dotfiles/mine.md"), fileOf(place));
  expect(place.run(["config", "strict", "false"]).code).toBe(0);
  expect(lstatSync(fileOf(place)).isSymbolicLink()).toBe(true);
  expect(readOwn(place)).toBe(front("strict: false"));
});

it("everything else in the file stays as it is", () => {
  const place = makePlace(specum, {
    [userFileOf(specum)]:
      `# Mine\n\n${front("# why", "strict: true # always", "verify_allow:", "  - npm test", "odd: x")}\nNotes\n`,
  });
  expect(place.json(["config", "strict", "off"])).toMatchObject({ code: 0, written: true });
  expect(place.run(["config", "verify_allow", "npm test", "make, all"]).code).toBe(0);
  expect(readOwn(place)).toBe(
    `# Mine\n\n${front("# why", "strict: off # always", 'verify_allow: [npm test, "make, all"]', "odd: x")}\nNotes\n`,
  );
  expect(place.run(["config", "--unset", "strict"]).code).toBe(0);
  expect(place.run(["config", "verify_allow", "--unset"]).code).toBe(0);
  expect(readOwn(place)).toBe(`# Mine\n\n${front("# why", "odd: x")}\nNotes\n`);
  expect(shown(place, "strict")).toBe("false from default");
});

it("where the project is stricter, it says so", () => {
  const place = makePlace(specum, { [specum.settingsFile]: front("verify_timeout: 30") });
  expect(place.run(["config", "verify_timeout", "600"]).out).toContain("In this project it is 30");
});

it.each([
  [["evidence", "maybe"], /evidence takes one of off, recorded, required, not "maybe"/],
  [["run_max_time", "60"], /run_max_time takes a time such as 90s, 10m or 6h, not "60"/],
  [["agents", "claude", "../evil"], /agents takes names such as .*, not "\.\.\/evil"/],
  [["evidnce", "off"], /there is no setting "evidnce"; did you mean evidence\?/],
  [["max_cost"], /there is no setting "max_cost"; did you mean run_max_cost\?/],
  [["something_else"], /smart-ralph config lists them/],
  [["--unset"], /takes the name of a setting, and no value/],
  [["--unset", "evidence", "off"], /takes the name of a setting, and no value/],
])("%j is refused, and nothing is written", (words, says) => {
  const place = makePlace(specum);
  expectRefusal(place.run(["config", ...words]), EXIT.usage, says);
  expect(existsSync(fileOf(place))).toBe(false);
});

it("an agent may look, but not set", () => {
  const place = makePlace(specum);
  const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s" };
  expect(place.run(["config", "evidence"], { env }).code).toBe(0);
  for (const words of [
    ["evidence", "off"],
    ["--unset", "evidence"],
  ])
    expectRefusal(
      place.run(["config", ...words], { env }),
      EXIT.refused,
      /only the user can run config/,
    );
  expect(existsSync(fileOf(place))).toBe(false);
});

it("what is there twice, or in a file that does not count, is for the user to change", () => {
  const place = makePlace(specum, { [userFileOf(specum)]: front("strict: true", "strict: false") });
  const run = () => place.run(["config", "strict", "true"]);
  expectRefusal(run(), EXIT.refused, /write strict: true there yourself/);
  chmodSync(fileOf(place), 0o666);
  expectRefusal(run(), EXIT.refused, /does not count/);
});

it("start tells once what is ignored in the settings, a line each", () => {
  const place = makePlace(specum, {
    [userFileOf(specum)]: front("evidnce: off"),
    [specum.settingsFile]: front("evidence: off", "verify_timeout: soon", "run_max_cost: 500"),
  });
  const { out } = place.run(["start", "limits", "Ten requests a second"]);
  const file = specum.settingsFile;
  for (const line of [
    `- ${fileOf(place)}: "evidnce" is not a setting of this version`,
    `- ${file}: "verify_timeout: soon" is not understood`,
    `- ${file}: "evidence: off" is ignored: project settings can only be stricter`,
    `- ${file}: "run_max_cost: 500" is ignored: settings of run count only in your own file`,
  ])
    expect(out.split(line)).toHaveLength(2);
  expect(makePlace(specum).run(["start", "limits", "Ten requests"]).out).not.toContain("Settings:");
});

it("run tells once what is ignored in the settings, a line each", async () => {
  const night = makeNight({
    rows: [{ id: "1.1" }],
    settings: "odd: x",
    files: { [specum.settingsFile]: front("evidence: off") },
  });
  const { events, code } = await night.run();
  expect(code).toBe(0);
  const notes = events.flatMap((event) => (event.kind === "note" ? [event.text] : []));
  expect(notes.filter((text) => text.includes(".md: "))).toEqual([
    expect.stringMatching(/ralph-specum\.md: "odd" is not a setting of this version$/),
    `${specum.settingsFile}: "evidence: off" is ignored: project settings can only be stricter`,
  ]);
});
