import { defineConfig } from "vitest/config";
import { needMissing } from "./test/e2e/missing.ts";
import { isFull, isQuick } from "./test/support/full.ts";

/** Prompts are Markdown files; the bundles take them in as text, and so do tests. */
const markdown = {
  name: "markdown",
  transform(code: string, id: string) {
    return id.endsWith(".md") ? `export default ${JSON.stringify(code)}` : undefined;
  },
};

interface Project {
  readonly name: string;
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  readonly globalSetup?: readonly string[];
  readonly seconds: number;
  readonly workers: number;
  /** Whether test files share a process, which saves half of the time where each takes milliseconds. */
  readonly shared?: true;
}

const BUNDLES = "test/support/bundles.ts";
const PROGRAM = [
  "test/program/**/*.test.ts",
  "test/contract/{claude,stop}.test.ts",
  "test/hostile/program.test.ts",
  "test/model/conformance.test.ts",
];

/**
 * Of the built program, what plain `npm test` runs: that its commands and its hook work as built, and one whole run.
 * What they decide is tested in process.
 */
const PROGRAM_QUICK = [
  "test/contract/{claude,stop}.test.ts",
  "test/program/{forged,status,verify}.test.ts",
  "test/program/run/last-check.test.ts",
];
/** Of the real clients: one spec to its end, and the attacks, in Claude Code. */
const CLIENTS_QUICK = ["test/e2e/{attack,finish}.e2e.test.ts"];

/** Replaces a module of node's own, so it has a process to itself. */
const ALONE = "test/contract/windows-paths.test.ts";

/** By what they run. */
const projects: readonly Project[] = [
  {
    name: "unit",
    include: ["src/**/*.test.ts", "test/{contract,engine,hostile,model,support}/**/*.test.ts"],
    exclude: [...PROGRAM, ALONE],
    seconds: 60,
    workers: 2,
    shared: true,
  },
  { name: "alone", include: [ALONE], seconds: 60, workers: 2 },
  // The built program. Most of these wait for a process that they started.
  {
    name: "program",
    include: isQuick ? PROGRAM_QUICK : PROGRAM,
    globalSetup: [BUNDLES, "test/program/warm-setup.ts"],
    seconds: 120,
    workers: 4,
    shared: true,
  },
  // The built program, failing on purpose.
  {
    name: "faults",
    include: isQuick ? [] : ["test/faults/**/*.test.ts"],
    globalSetup: [BUNDLES, "test/faults/setup.ts"],
    seconds: 600,
    workers: 2,
  },
  // Real clients.
  {
    name: "e2e",
    include: isQuick ? CLIENTS_QUICK : ["test/e2e/**/*.test.ts"],
    exclude: needMissing,
    globalSetup: [BUNDLES, "test/e2e/setup.ts"],
    seconds: 120,
    // A client waits for its model half of the time.
    workers: 3,
  },
  // Other versions of node.
  {
    name: "nodes",
    include: isFull ? ["test/nodes/**/*.test.ts"] : [],
    globalSetup: [BUNDLES, "test/nodes/setup.ts"],
    seconds: 120,
    workers: 2,
  },
];

/**
 * All projects wait in one queue, so that no processor idles while the last files of one of them run. Real clients come
 * first (by name), the shortest files last. Vitest wants the same number of workers for all in a queue: most of these
 * wait for a process. A full run also measures, so there they take turns.
 */
const WORKERS = 4;

export default defineConfig({
  plugins: [markdown],
  test: {
    projects: projects.map(
      ({ name, include, exclude = [], globalSetup = [], seconds, workers, shared }, index) => ({
        extends: true,
        test: {
          name,
          include: [...include],
          exclude: [...exclude, ...(isFull ? [] : ["**/*.full.test.ts"])],
          globalSetup: ["test/support/ground.ts", ...globalSetup],
          setupFiles: ["test/support/home.ts"],
          testTimeout: seconds * 1000,
          hookTimeout: seconds * 1000,
          maxWorkers: isFull ? workers : WORKERS,
          isolate: shared !== true,
          sequence: { groupOrder: isFull ? index : 0 },
        },
      }),
    ),
  },
});
