import { expect, it } from "vitest";
import type { Task } from "../../tasks/model.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { planAmendment } from "./amend.ts";

const LIST = `- [ ] 1.1 One
  - **Verify**: \`npm test\`
- [ ] 1.2 [VERIFY] Two
  - **Verify**: \`npm run check\`
- [ ] 1.2.1 [FIX 1.2] Fix: Two
  - **Verify**: \`npm run check\`
- [x] 1.2.2 [FIX 1.2] Fix: Two
  - **Verify**: \`npm run check\`
- [ ] 1.2.3 [FIX 1.2] Fix: Two, another way
  - **Verify**: \`npm run other\`
- [ ] 1.2.1.1 [FIX 1.2.1] Fix: the fix
  - **Verify**: \`npm run check\`
- [ ] 1.3 Three
  - **Verify**: \`npm run check\`
`;

const amended = (id: string): string[] => {
  const list = parseTasks(LIST);
  const task = list.tasks.find((one) => one.id === id) as Task;
  const plan = planAmendment(list, task, "npm run lint", "no such script", []);
  if (plan.kind === "refused") throw new Error(plan.why);
  const changed = parseTasks(plan.tasks).tasks.filter((_, i) =>
    plan.tasks.split("- [")[i + 1]?.includes("npm run lint"),
  );
  expect(plan.made.map(({ amendment }) => amendment.task).sort()).toEqual(
    changed.map((one) => one.id).sort(),
  );
  return plan.made.map(({ amendment }) => amendment.task);
};

it("a Verify is replaced wherever it was copied: in what is fixed, in its fixes, and in theirs", () => {
  expect(amended("1.2")).toEqual(["1.2", "1.2.1", "1.2.1.1"]);
  expect(amended("1.2.1.1")).toEqual(["1.2.1.1", "1.2.1", "1.2"]);
});

it("not where another task happens to have the same, or a fix has its own", () => {
  expect(amended("1.3")).toEqual(["1.3"]);
  expect(amended("1.2.3")).toEqual(["1.2.3"]);
});
