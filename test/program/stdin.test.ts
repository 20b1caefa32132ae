import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { REPOSITORY, runChild } from "./child.ts";
import { expectRefusal, IN_SESSION, makePlace, SESSION } from "./support.ts";

const place = makePlace(specum, { "specs/my spec/tasks.md": "- [ ] 1.1 x\n" });
/** As the client does it: its hook notes what was typed, then the command file runs our program. */
const say = (typed: string, verb = "status") => {
  const prompt = `/ralph-specum:${verb} ${typed}`;
  expect(place.hook("expansion", { prompt })).toEqual({ code: 0, out: "", err: "" });
  return place.run([verb, "--typed", SESSION], IN_SESSION);
};

describe("what the user types after a slash command", () => {
  it.each([
    ["demo\n", /^demo /],
    ['"my spec"\n', /^my spec /],
    ["'my spec'", /^my spec /],
    ["--spec demo\n", /^demo /],
    ["--spec\n'my spec'\n", /^my spec /],
    ["demo --json\n", /^\{\n {2}"ok": true/],
    ["--help", /^ralph-specum status/],
  ])("%j are split as a shell would", (input, says) => {
    expect(say(input)).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringMatching(says) as string,
    });
  });

  it.each([
    ["$(touch pwned)", /unexpected argument "pwned\)"/],
    ["`touch pwned`", /unexpected argument "pwned`"/],
    ["; touch pwned", /unexpected argument "touch"/],
    ["demo\n; touch pwned\n", /unexpected argument ";"/],
    ["demo && touch pwned", /unexpected argument "&&"/],
    ['"$(touch pwned)"', /there is no spec "\$\(touch pwned\)"/],
    ["'; touch pwned #'", /there is no spec "; touch pwned #"/],
    ["../../../etc", /leads out of the project/],
    ["\u001b[31mdemo", /control characters/],
    ["--nonsense", /unknown option/],
  ])("%j run nothing", (input, says) => {
    const ran = say(input);
    expectRefusal(ran, says.source.startsWith("there") ? EXIT.missing : EXIT.usage, says);
    expect(existsSync(join(place.root, "pwned"))).toBe(false);
    expect(readdirSync(place.folder)).toEqual(["tasks.md"]);
  });

  it("may be none", () => {
    expectRefusal(say("\n"), EXIT.missing, /there are: demo, my spec/);
  });

  it("comes after what the command file says", () => {
    const { code, out } = say("demo --max-task-iterations 2 --json", "implement");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: true, spec: "demo", session: SESSION });
    expect(place.state()).toMatchObject({ maxTaskIterations: 2 });
  });
});

it("a slash command passes hostile arguments on, and a shell runs none of them", () => {
  const victim = makePlace(specum);
  const bin = join(REPOSITORY, "plugins/ralph-specum/bin");
  const typed = `demo $(touch pwned) \`touch pwned\` "; touch pwned; "' \\`;
  victim.hook("expansion", { prompt: `/ralph-specum:status ${typed}` });
  const file = readFileSync(join(REPOSITORY, "plugins/ralph-specum/commands/status.md"), "utf8");
  const script = /```!\n([\s\S]*?)\n```/.exec(file)?.[1] as string;
  const ran = runChild("/bin/sh", ["-c", script.replace("${CLAUDE_SESSION_ID}", SESSION)], {
    cwd: victim.root,
    env: { ...victim.env, PATH: `${bin}:${victim.env["PATH"]}` },
  });
  expect(ran).toMatchObject({ code: 0, err: "" });
  expect(ran.out).toMatch(/^This command was refused\..*\n\nralph-specum: unexpected argument/);
  expect(readdirSync(victim.root)).toEqual(["specs"]);
});

describe("a report on standard input", () => {
  it("may be large, and comes through a slow pipe", () => {
    const { root, env, run, tasks } = makePlace(specum);
    run(["implement"]);
    const cli = join(REPOSITORY, "plugins/ralph-specum/dist/cli.cjs");
    const writer = `node -e 'process.stdout.write("x".repeat(3e6)); setTimeout(() => console.log("\\nTASK_COMPLETE"), 100)'`;
    const script = `${writer} | node '${cli}' --layout=specum done 1.1 --report -`;
    const ran = runChild("/bin/sh", ["-c", script], { cwd: root, env });
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(tasks()).toContain("[x] 1.1");
  });
});
