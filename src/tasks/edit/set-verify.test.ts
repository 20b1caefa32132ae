import { expect, it } from "vitest";
import { findTask } from "../find.ts";
import type { Task } from "../model.ts";
import { parseTasks } from "../parse.ts";
import { setVerify } from "./set-verify.ts";

const set = (text: string, command: string, id = "1.1"): string | undefined => {
  const list = parseTasks(text);
  return setVerify(list, findTask(list, id) as Task, command);
};

it.each([
  [
    "- [ ] 1.1 a\n  - **Verify**: `x`\n- [ ] 1.2 b\n",
    "- [ ] 1.1 a\n  - **Verify**: `y`\n- [ ] 1.2 b\n",
  ],
  [
    "- [ ] 1.1 a\r\n  **Verify:** x y\r\n  - **Do**: z\r\n",
    "- [ ] 1.1 a\r\n  **Verify:** `y`\r\n  - **Do**: z\r\n",
  ],
  [
    "- [ ] 1.1 a\n  - **Verify**:\n    ```sh\n    x\n    ```\n  - **Do**: z\n",
    "- [ ] 1.1 a\n  - **Verify**: `y`\n  - **Do**: z\n",
  ],
  ["- [ ] 1.1 a\n  * **Do**: z\n", "- [ ] 1.1 a\n  * **Verify**: `y`\n  * **Do**: z\n"],
  ["- [ ] 1.1 a", "- [ ] 1.1 a\n  - **Verify**: `y`\n"],
])("changes the Verify in %j and nothing else", (before, after) => {
  expect(set(before, "y")).toBe(after);
});

it("takes a command with backticks", () => {
  expect(set("- [ ] 1.1 a\n  - **Verify**: `x`\n", "test `date`")).toContain("`` test `date` ``");
});

it("gives up if the list would not read back as the old one", () => {
  expect(set("- [ ] 1.1 a\n  - **Verify**: `x`\n", "a\n- [ ] 1.2 b")).toBeUndefined();
});
