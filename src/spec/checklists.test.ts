import { expect, it } from "vitest";
import {
  describeChecklist,
  hasOpen,
  nextItemId,
  parseChecklist,
  renderChecklists,
} from "./checklists.ts";

const UX = `# UX Checklist

**Purpose**: - [ ] not an item

- [x] CHK001 Is the empty state described? [Spec §FR-001]
- [X] CHK002 Is "fast" a number?
  - [ ] CHK003 nested
* [ ] CHK010 with another bullet

\`\`\`
- [ ] in code
\`\`\`

<!--
- [ ] hidden
-->

- [link](x) is not a box
`;

it("counts boxes, nested ones too, and not what is code, hidden or prose", () => {
  const list = parseChecklist("ux.md", UX);
  expect(list.items.map(({ text, line, checked }) => [text.slice(0, 6), line, checked])).toEqual([
    ["CHK001", 5, true],
    ["CHK002", 6, true],
    ["CHK003", 7, false],
    ["CHK010", 8, false],
  ]);
  expect(hasOpen(list)).toBe(true);
  expect(describeChecklist(list)).toBe("ux.md: 2 of 4 items open");
  expect(nextItemId(list)).toBe("CHK011");
});

it("reads Windows line endings, and a list without ids", () => {
  const list = parseChecklist("requirements.md", "- [x] Says what\r\n- [ ] Says why\r\n");
  expect(list.items.map(({ text }) => text)).toEqual(["Says what", "Says why"]);
  expect(nextItemId(list)).toBeUndefined();
});

it("shows each list as a row", () => {
  const lists = [parseChecklist("a|b.md", "- [x] one\n"), parseChecklist("ux.md", UX)];
  expect(renderChecklists(lists)).toBe(`| checklist | total | checked | unchecked | status |
|---|---:|---:|---:|---|
| a\\|b.md | 1 | 1 | 0 | ✓ PASS |
| ux.md | 4 | 2 | 2 | ✗ FAIL |`);
});
