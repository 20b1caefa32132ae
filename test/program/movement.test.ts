import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { specum } from "../support/editions.ts";
import { report } from "./claims.ts";
import { type Place, startPlace } from "./support.ts";

const TASKS =
  "- [ ] 1.1 First\n  - **Verify**: `test -d .`\n- [ ] 1.2 Second\n  - **Verify**: `false`\n";

const ways: readonly [string, (place: Place, turn: number) => void][] = [
  [
    "clears a proven box and proves it again",
    (place) => {
      writeFileSync(join(place.folder, "tasks.md"), place.tasks().replace("[x] 1.1", "[ ] 1.1"));
      report(place);
    },
  ],
  [
    "adds ticked tasks by hand",
    (place, turn) =>
      appendFileSync(join(place.folder, "tasks.md"), `- [x] 7.${turn} Something else\n`),
  ],
  [
    "counts attempts up and down in the state",
    (place, turn) =>
      writeFileSync(
        join(place.folder, specum.stateFile),
        JSON.stringify({ ...place.state(), taskIteration: (turn % 5) + 1 }),
      ),
  ],
];

it.each(ways)("an agent that %s is stopped", (_, act) => {
  const place = startPlace(specum, { "specs/demo/tasks.md": TASKS });
  for (let turn = 1; turn < 12; turn++) {
    act(place, turn);
    const { decision, systemMessage } = place.stop({ stop_hook_active: turn > 1 });
    if (decision === "block") continue;
    expect(systemMessage).toContain("no progress");
    return;
  }
  expect.unreachable("it went on");
});
