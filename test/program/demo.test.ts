import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PATH, REPOSITORY, runChild } from "./child.ts";
import { makeFolder } from "./temporary.ts";

const bin = join(REPOSITORY, "bin/smart-ralph.cjs");
const tmp = makeFolder();
const run = (...args: string[]) =>
  runChild(process.execPath, [bin, "demo", ...args], {
    cwd: "/",
    env: { PATH, HOME: tmp, TMPDIR: tmp },
    timeout: 110_000,
  });

it("plays a spec to its end and leaves nothing behind", () => {
  const { code, out, err } = run();
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain(
    'agent  "Everything works. ALL_TASKS_COMPLETE"\nralph  ↩ sent back: 4 tasks',
  );
  expect(out).toContain("✗ refused: 1.3 is not done: nothing has changed");
  expect(out).toContain("✓ 1.2 proven: `node --test greet.test.mjs` passed");
  expect(out).toMatch(
    /1\.3 Say "Hello, world!" if no name is given: proven \(2 attempts, 1 report\s+refused\)/,
  );
  expect(out).toContain("3 false claims, none believed");
  expect(out).toContain(`claude plugin marketplace add ${REPOSITORY}`);
  expect(out).toMatch(/\/ralph-specum:start "[^"]+"\n$/);
  for (const mark of "✓✗↩→") expect(out.split("ralph-specum:implement")[0]).toContain(mark);
  const broken = out.split("\n").filter((line) => line.length > 80 && !line.includes(REPOSITORY));
  expect(broken).toEqual([]);
  // eslint-disable-next-line no-control-regex -- not in a pipe
  expect(out).not.toMatch(/\u001b/);
  expect(readdirSync(tmp)).toEqual([]);
});

it("gives its receipt as one JSON object, and keeps the project if asked", () => {
  const { code, out } = run("--json", "--keep");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    ok: true,
    sentBack: 1,
    tasks: ["1.1", "1.2", "1.3", "2.1", "2.2", "2.3"].map((id) => ({ id, done: true })),
  });
  const [project] = readdirSync(tmp);
  expect(readdirSync(join(tmp, project as string, "greeter"))).toContain("greet.test.mjs");
});
