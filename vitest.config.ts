import { defineConfig } from "vitest/config";

/** Prompts are Markdown files; the bundles take them in as text, and so do tests. */
const markdown = {
  name: "markdown",
  transform(code: string, id: string) {
    return id.endsWith(".md") ? `export default ${JSON.stringify(code)}` : undefined;
  },
};

export default defineConfig({
  plugins: [markdown],
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          setupFiles: ["test/support/home.ts"],
          include: [
            "src/**/*.test.ts",
            "test/contract/**/*.test.ts",
            "test/model/**/*.test.ts",
            "test/program/**/*.test.ts",
            "test/hostile/**/*.test.ts",
          ],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // The settings of whoever runs the tests are not for them.
          env: { XDG_CONFIG_HOME: "/nonexistent" },
          // Most of these wait for child processes.
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "faults",
          include: ["test/faults/**/*.test.ts"],
          globalSetup: ["test/faults/setup.ts"],
          setupFiles: ["test/support/home.ts"],
          testTimeout: 600_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.e2e.test.ts"],
          globalSetup: ["test/e2e/setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: "nodes",
          include: ["test/nodes/**/*.test.ts"],
          globalSetup: ["test/nodes/setup.ts"],
          testTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
