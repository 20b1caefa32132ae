import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/cli/command.ts";
import { specum } from "../../src/core/layout.ts";
import { REPOSITORY, runChild } from "./child.ts";
import { expectRefusal, makePlace } from "./support.ts";

const place = makePlace(specum, { "specs/my spec/tasks.md": "- [ ] 1.1 x\n" });
const say = (input: string, verb = "status") => place.run([verb, "--args-from-stdin"], { input });

describe("arguments from standard input", () => {
  it.each([
    ["demo\n", /^demo /],
    ['"my spec"\n', /^my spec /],
    ["'my spec'", /^my spec /],
    ["--spec demo\n", /^demo /],
    ["--spec\n'my spec'\n", /^my spec /],
    ["demo --json\n", /^\{\n {2}"ok": true/],
    ["--help", /^ralph-specum status/],
  ])("%j are taken as a shell would", (input, says) => {
    expect(say(input)).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringMatching(says) as string,
    });
  });

  it.each([
    ["$(touch pwned)", /"pwned\)" is one argument too many/],
    ["`touch pwned`", /"pwned`" is one argument too many/],
    ["; touch pwned", /"touch" is one argument too many/],
    ["demo\n; touch pwned\n", /";" is one argument too many/],
    ["demo && touch pwned", /"&&" is one argument too many/],
    ['"$(touch pwned)"', /there is no spec "\$\(touch pwned\)"/],
    ["'; touch pwned #'", /there is no spec "; touch pwned #"/],
    ["../../../etc", /leads out of the project/],
    ["\u001b[31mdemo", /control characters/],
    ["--nonsense", /Unknown option/],
  ])("%j run nothing", (input, says) => {
    const ran = say(input);
    expectRefusal(ran, says.source.startsWith("there") ? EXIT.missing : EXIT.usage, says);
    expect(existsSync(join(place.root, "pwned"))).toBe(false);
    expect(readdirSync(place.folder)).toEqual(["tasks.md"]);
  });

  it("may be none", () => {
    expectRefusal(say("\n"), EXIT.missing, /there are: demo, my spec/);
  });

  it("come after those of the command line, as slash commands pass them", () => {
    const argv = ["implement", "--session", "abc", "--args-from-stdin", "--json"];
    const { code, out } = place.run(argv, { input: "demo --max-task-iterations 2\n" });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: true, spec: "demo", session: "abc" });
    expect(place.state()).toMatchObject({ maxTaskIterations: 2 });
  });
});

it("a slash command's own text passes hostile arguments on, and a shell runs none of them", () => {
  const victim = makePlace(specum);
  const bin = join(REPOSITORY, "plugins/ralph-specum/bin");
  const typed = `demo $(touch pwned) \`touch pwned\` "; touch pwned; "' \\`;
  const script = `ralph-specum status --args-from-stdin <<'RALPH_ARGUMENTS_7F3A'\n${typed}\nRALPH_ARGUMENTS_7F3A\n`;
  const ran = runChild("/bin/sh", ["-c", script], {
    cwd: victim.root,
    env: { ...victim.env, PATH: `${bin}:${victim.env["PATH"]}` },
  });
  expectRefusal(ran, EXIT.usage, /one argument too many/);
  expect(readdirSync(victim.root)).toEqual(["specs"]);
});

describe("a report on standard input", () => {
  it("may be large, and comes through a slow pipe", () => {
    const { root, run, tasks } = makePlace(specum);
    run(["implement"]);
    const cli = join(REPOSITORY, "plugins/ralph-specum/dist/cli.cjs");
    const writer = `node -e 'process.stdout.write("x".repeat(3e6)); setTimeout(() => console.log("\\nTASK_COMPLETE"), 100)'`;
    const script = `${writer} | node '${cli}' --layout=specum done 1.1 --report -`;
    const ran = runChild("/bin/sh", ["-c", script], { cwd: root, env: place.env });
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(tasks()).toContain("[x] 1.1");
  });
});
