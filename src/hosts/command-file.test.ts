import { expect, it } from "vitest";
import { editionsOf, hostNamed, hosts } from "./all.ts";
import { inVoice, parseCommandFile } from "./command-file.ts";

const FILE = `---
description: Look
---

Before.

\`\`\`!
ralph-specum tasks list --typed "\${CLAUDE_SESSION_ID}" --as-prompt --early
\`\`\`

\`\`\`!
ralph-specum hooks tasks
\`\`\`

After: $ARGUMENTS
`;

it("finds the lines that are run, and the text around them", () => {
  expect(parseCommandFile(FILE)).toEqual([
    { kind: "text", text: "Before." },
    { kind: "run", words: ["tasks", "list"], isTyped: true },
    { kind: "run", words: ["hooks", "tasks"], isTyped: false },
    { kind: "text", text: "After: $ARGUMENTS" },
  ]);
});

it("speaks as the client's users type, and never runs what they typed", () => {
  const [layout] = editionsOf(hostNamed("codex") ?? hosts[0], "/plugin/bin");
  expect(
    inVoice(layout, "`ralph-specum check`, then /ralph-specum:tasks: $ARGUMENTS", "$& `rm -r x`"),
  ).toBe("`/plugin/bin/ralph-specum check`, then $ralph-specum:tasks: $& `rm -r x`");
});
