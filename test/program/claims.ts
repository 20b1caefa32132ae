import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import type { Edition } from "../../src/layouts/layout.ts";
import type { Ran } from "./child.ts";
import { type Answer, type Place, SESSION, startPlace, userFileOf } from "./support.ts";

/** A run with one task, whose Verify is `verify`, and a second one; the settings are the user's own. */
export function placeWith(layout: Edition, verify: string, settings = ""): Place {
  return startPlace(layout, {
    [`${layout.specsDirs[0]}/demo/tasks.md`]: `- [ ] 1.1 First\n  - **Verify**: ${verify}\n- [ ] 1.2 Second\n`,
    ...(settings === "" ? {} : { [userFileOf(layout)]: `---\n${settings}\n---\n` }),
  });
}

/** The report of an agent that rightly changed nothing. */
export const IDLE = "NO_CHANGE: it was there before\nTASK_COMPLETE";

export const report = (place: Place, text = "TASK_COMPLETE", id = "1.1"): Answer =>
  place.json(["done", id, "--report", text]);

export const tickByHand = (place: Place, id: string): void =>
  writeFileSync(
    join(place.folder, "tasks.md"),
    place.tasks().replace(`- [ ] ${id} `, `- [x] ${id} `),
  );

/** Exit code 1, one line that says it on standard output, the box clear, and the refusal in the journal. */
export function expectRefused(place: Place, says: RegExp, text?: string, id = "1.1"): void {
  const { code, out, err } = place.run(["done", id, "--report", text ?? "TASK_COMPLETE"]);
  expect(out).toMatch(/^[^\n]+\n$/);
  expect(out).toMatch(says);
  expect(err).toBe("");
  expect(code).toBe(EXIT.refused);
  expect(place.tasks()).toContain(`- [ ] ${id} `);
  expect(place.entries().at(-1)).toMatchObject({
    event: "refused",
    task: id,
    note: out.trimEnd(),
  });
}

/** What the client sends when a sub-agent ends its turn. */
export const endOf = (place: Place, fields: object = {}): string =>
  JSON.stringify({
    session_id: SESSION,
    cwd: place.root,
    hook_event_name: "SubagentStop",
    stop_hook_active: false,
    agent_id: "agent-1",
    agent_type: `${place.layout.plugin}:spec-executor`,
    last_assistant_message: "Wrote it.\n\nTASK_COMPLETE",
    ...fields,
  });

export const end = (place: Place, fields: object = {}): Ran =>
  place.run(["subagent-stop"], { input: endOf(place, fields) });

/** The agent may stop, and neither it nor the user is told anything. */
export function expectSilence({ code, out, err }: Ran): void {
  expect(out.trim()).toBe("");
  expect(err).toBe("");
  expect(code).toBe(0);
}
