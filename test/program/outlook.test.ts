import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { editionsOf, hostNamed, hosts } from "../../src/hosts/all.ts";
import type { Edition } from "../../src/layouts/layout.ts";
import { specum } from "../support/editions.ts";
import { openRepository } from "../support/repository.ts";
import { send } from "./agents.ts";
import {
  expectRefusal,
  IN_SESSION,
  makePlace,
  type Place,
  SESSION,
  userFileOf,
} from "./support.ts";
import { fillFolder } from "./temporary.ts";

const TASKS = `# Tasks

- [ ] 1.1 Write a
  - **Verify**: \`grep -q done a.txt\`
- [ ] 1.2 Write b
  - **Verify**: \`echo done\`
- [ ] 1.3 Write c
- [ ] 1.4 [GUARD] Rename d
  - **Verify**: \`test -d .git\`
`;
const LINE =
  "4 tasks: 1 can be proven, 1 is a check by design (1.4), 1 has a Verify that cannot fail (1.2), 1 has none (1.3)";
const OUTLOOK = {
  open: 4,
  done: 0,
  obstacle: null,
  provable: ["1.1"],
  byDesign: ["1.4"],
  vain: [{ id: "1.2", why: "its Verify cannot fail" }],
  unchecked: [{ id: "1.3", why: "it has no Verify" }],
};
const PROVABLE = TASKS.replace("`echo done`", "`grep -q done b.txt`").replace(
  "Write c\n",
  "Write c\n  - **Verify**: `grep -q done c.txt`\n",
);

function place(
  layout: Edition,
  tasks = TASKS,
  files: Readonly<Record<string, string>> = {},
): Place {
  const made = makePlace(layout, { [`${layout.specsDirs[0]}/demo/tasks.md`]: tasks, ...files });
  const repository = openRepository(made.root, made.env["HOME"] ?? "");
  repository.git("init", "-q", "-b", "main");
  repository.commit({}, "begin");
  return made;
}

const strictly = (path: string): Record<string, string> => ({ [path]: "---\nstrict: true\n---\n" });

/** As any of the clients sends it. */
const fieldsOf = (prompt: string): object => ({
  prompt,
  submitted_prompt: prompt,
  session: SESSION,
});

/** What the hook of a client says when the user types. */
function type(made: Place, host: string, command: string): Told {
  const { code, out } = made.hook("prompt", fieldsOf(command), { host });
  expect(code).toBe(0);
  return JSON.parse(out === "" ? "{}" : out) as Told;
}

interface Told {
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: { readonly additionalContext?: string };
}

describe("before the work starts", () => {
  const layout = specum;
  it("implement says what can be proven, first", () => {
    expect(place(layout).slash(["implement"]).out.split("\n")[0]).toBe(`${LINE}.`);
    expect(place(layout).slashJson(["implement"])).toMatchObject({ code: 0, outlook: OUTLOOK });
    const { out } = place(layout, PROVABLE).slash(["implement"]);
    expect(out).toMatch(/^4 tasks: 3 can be proven, 1 is a check by design \(1\.4\)\.\n/);
  });

  it("counts what is open, and is not repeated when a run goes on", () => {
    const made = place(layout, PROVABLE.replace("- [ ] 1.1", "- [x] 1.1").replace(" [GUARD]", ""));
    expect(made.slash(["implement"]).out).toMatch(/^3 open tasks: all can be proven\.\n/);
    expect(made.slash(["resume"]).out).not.toContain("can be proven");
  });

  it.each([
    ["evidence: off", "evidence is off"],
    ["verify_before: false", "verify_before is false"],
  ])("says why nothing can be: %s", (setting, why) => {
    const made = place(layout, PROVABLE, { [userFileOf(layout)]: `---\n${setting}\n---\n` });
    expect(made.slash(["implement"]).out).toContain(`4 tasks: none can be proven, because ${why}.`);
    expectRefusal(
      made.slash(["implement", "--strict"]),
      EXIT.refused,
      `strict is on, and nothing can be proven, because ${why}; change that, or begin without strict`,
    );
  });

  it("says so without git", () => {
    const made = makePlace(layout, { [`${layout.specsDirs[0]}/demo/tasks.md`]: PROVABLE });
    expect(made.slash(["implement"]).out).toMatch(
      /^4 tasks: none can be proven, because there is no git repository\.\n/,
    );
  });

  it("the user sees it in the client, when the first agent starts, and once", () => {
    const made = place(layout, PROVABLE);
    made.slash(["implement"]);
    const said = (id: string): string | undefined => send(made, id).say;
    expect(said("1.1")).toContain(": 4 tasks: 3 can be proven, 1 is a check by design (1.4)");
    made.run(["fail", "1.1", "--reason", "no"], IN_SESSION);
    made.slash(["resume"]);
    expect(said("1.1")).toBeUndefined();
  });

  it.each(hosts.filter(({ commandsByHook }) => commandsByHook).map(({ name }) => name))(
    "and in %s, where our hook does: from us, or from the agent if the client shows no line of ours",
    (name) => {
      const host = hostNamed(name) ?? hosts[0];
      const { voice } = editionsOf(host).find(({ id }) => id === layout.id) as Edition;
      const said = JSON.stringify(type(place(layout), name, voice.command("implement")));
      const agentSays = `Begin by telling the user this line: ${LINE}.`;
      const weSay = `${voice.brand}: ${LINE}"`;
      expect([said.includes(agentSays), said.includes(weSay)].toSorted()).toEqual([false, true]);
    },
  );
});

describe("strict", () => {
  const layout = specum;
  const NAMED = "strict is on, and these tasks cannot be proven: 1.2 (its Verify cannot fail), 1.3";

  it.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    ["typed", ["--strict"], {}],
    ["in the project's settings", [], strictly(layout.settingsFile)],
    ["in the user's settings", [], strictly(userFileOf(layout))],
  ])("%s, refuses to begin, and names the tasks", (_, options, files) => {
    const made = place(layout, TASKS, files);
    const refused = made.slash(["implement", ...options]);
    expectRefusal(refused, EXIT.refused, NAMED, "tasks lint demo");
    expect(made.state()).toBeUndefined();
    expect(made.entries()).toEqual([]);
    writeFileSync(join(made.folder, "tasks.md"), PROVABLE);
    expect(made.slash(["implement", ...options]).code).toBe(0);
  });

  it("is not switched off by the project", () => {
    const made = place(layout, TASKS, {
      ...strictly(userFileOf(layout)),
      [layout.settingsFile]: "---\nstrict: false\n---\n",
    });
    expect(made.slash(["implement"]).code).toBe(EXIT.refused);
  });

  it("does not hold a run that goes on", () => {
    const made = place(layout);
    made.slash(["implement"]);
    made.slash(["pause"]);
    fillFolder(made.root, strictly(layout.settingsFile));
    expect(made.slash(["resume"]).code).toBe(0);
  });

  it("sends a list back that could not begin", () => {
    const made = place(layout, TASKS, strictly(layout.settingsFile));
    const { out } = made.run(["check", "tasks.md", "--spec", "demo"]);
    expect(out).toContain("1.3 cannot be proven, and strict is on: it has no Verify.");
    expect(out).not.toContain("1.4 cannot be proven");
  });
});

describe("a [GUARD]", () => {
  const layout = specum;
  const GUARD = "- [ ] 1.9 [GUARD] Tidy\n  - **Verify**: `test -f README.md`\n";

  it("that an agent added counts once the user has approved it, and is shown to them", () => {
    const made = place(layout, PROVABLE);
    made.slash(["implement"]);
    writeFileSync(join(made.folder, "tasks.md"), GUARD + PROVABLE.replace("# Tasks\n", ""));
    made.run(["done", "1.9", "--report", "TASK_COMPLETE"], IN_SESSION);
    expect(made.stop().systemMessage).toMatch(
      /1\.9"? \[GUARD\] has a Verify that you have not app/,
    );
    expect(made.slash(["approve"]).code).toBe(0);
    expect(send(made, "1.9").say).toContain("2 are checks by design (1.9, 1.4)");
  });

  it("is no reason to tell its agent that its Verify proves little", () => {
    const made = place(layout, "- [ ] 1.1 [GUARD] Rename\n  - **Verify**: `test -d .git`\n");
    const { out } = made.slash(["implement"]);
    expect(out).toMatch(/^1 task: none can be proven, 1 is a check by design \(1\.1\)\.\n/);
    expect(made.entries().map(({ event }) => event)).toContain("before");
    expect(made.run(["next"], IN_SESSION).out).not.toContain("proves little");
  });
});
