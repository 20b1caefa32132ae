import type { DemoScene, DemoStep } from "./script.ts";

/** The files of the project that the built-in agents work on. */
export const GREET = "export const greet = (name) => `Hello, ${name}!`;\n";
export const GREET_WORLD = 'export const greet = (name = "world") => `Hello, ${name}!`;\n';
export const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { greet } from "./greet.mjs";

test("greets by name", () => assert.equal(greet("Ada"), "Hello, Ada!"));
`;

const scene = (id: string, ...attempts: readonly (readonly DemoStep[])[]): DemoScene => ({
  when: `# Task ${id} of `,
  attempts: attempts.map((steps) => [PAUSE, USED, ...steps]),
});

/** A model takes its time; without a pause there would be nothing to see. */
const PAUSE = { sleep: 700 } as const;
const USED = { usage: { input: 5200, output: 310, usd: 0.012 } } as const;
const done = (words: string): DemoStep => ({ report: `${words}\nTASK_COMPLETE` });

/** One task is claimed too early, as agents do, and the claim is rejected. */
export const GREETER: readonly DemoScene[] = [
  scene("1.1", [{ write: "greet.mjs", text: GREET }, done("Wrote greet.mjs.")]),
  scene("1.2", [
    { write: "greet.test.mjs", text: TEST },
    { run: "node --test greet.test.mjs" },
    done("greet.test.mjs passes."),
  ]),
  scene(
    "1.3",
    [{ say: "That looks easy." }, done("It greets the world now.")],
    [{ write: "greet.mjs", text: GREET_WORLD }, done("It greets the world now, really.")],
  ),
  scene("2.1", [{ write: "README.md", text: "# greeter\n\nSays hello.\n" }, done("Written.")]),
  scene("2.2", [{ write: "CHANGELOG.md", text: "# Changes\n\n- greets\n" }, done("Written.")]),
];
