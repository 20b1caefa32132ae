import { randomUUID } from "node:crypto";
import { findAt } from "../../support/download.ts";
import { repoRoot } from "../install.ts";
import { type Adapter, binOf, type Seat } from "./adapter.ts";
import { runOnce } from "./run-once.ts";
import { baseEnv, headlessSession } from "./session.ts";

/** Any address: nobody asks a model for this. */
const NOBODY = "http://127.0.0.1:9";

const envOf = (seat: Seat, url: string): Record<string, string> => ({
  ...baseEnv(seat),
  OPENAI_API_KEY: "made-up",
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_MODEL: "scripted",
  QWEN_CODE_SUPPRESS_YOLO_WARNING: "1",
});

export const qwen: Adapter = {
  id: "qwen",
  name: "Qwen Code",
  package: "@qwen-code/qwen-code",
  version: "0.24.4",
  find: findAt("@qwen-code", "qwen-code", "cli.js"),
  worker: "self",
  reports: "done",
  type: ({ plugin }, command) => `/${plugin}:${command}`,
  program: (layout) => binOf(repoRoot, layout),
  shell: (command) => ({
    name: "run_shell_command",
    input: { command, description: "work", is_background: false },
  }),
  sessionVariable: "QWEN_CODE_SESSION_ID",
  // It keeps its memory with an agent of its own, which cannot use skills.
  isSide: ({ tools }) => !tools.includes("skill"),
  // It asks whether the author is trusted.
  install: (seat) =>
    runOnce(seat.node, [seat.client, "extensions", "link", repoRoot], {
      cwd: seat.place.root,
      env: envOf(seat, NOBODY),
      input: "y\n",
      expect: /linked successfully/,
    }),
  async open(table) {
    const id = randomUUID();
    return headlessSession(table, {
      args: (prompt, session) => [
        ...(session === undefined ? ["--session-id", id] : ["--resume", id]),
        "--yolo",
        "--prompt",
        prompt,
      ],
      sessionIn: () => id,
      env: envOf(table, table.url),
      by: table.node,
    });
  },
  differences: {},
};
