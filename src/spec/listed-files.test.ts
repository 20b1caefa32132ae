import { expect, it } from "vitest";
import { readListedFiles } from "./listed-files.ts";

const plan = (tree: string, heading = "### Documentation (this feature)"): string =>
  `# Plan\n\n${heading}\n\n\`\`\`text\n${tree}\n\`\`\`\n\n### Source Code\n\n\`\`\`text\nsrc/\n└── nowhere.ts\n\`\`\`\n`;

const paths = (text: string): string[] => readListedFiles(text).map(({ path }) => path);

it("reads Spec Kit's tree, line by line", () => {
  const tree = `specs/001-export/
├── plan.md              # This file
├── research.md          # Phase 0 output
├── contracts/           # Phase 1 output
│   ├── export.yaml
│   └── errors/
│       └── codes.md
└── tasks.md`;
  expect(readListedFiles(plan(tree))).toEqual([
    { path: "plan.md", isFolder: false, line: 7 },
    { path: "research.md", isFolder: false, line: 8 },
    { path: "contracts/", isFolder: true, line: 9 },
    { path: "contracts/export.yaml", isFolder: false, line: 10 },
    { path: "contracts/errors/", isFolder: true, line: 11 },
    { path: "contracts/errors/codes.md", isFolder: false, line: 12 },
    { path: "tasks.md", isFolder: false, line: 13 },
  ]);
});

it.each([
  ["ASCII branches", "specs/x/\n|-- plan.md\n`-- research.md", ["plan.md", "research.md"]],
  [
    "indentation",
    "specs/x/\n  plan.md\n  contracts/\n    a.yaml",
    ["plan.md", "contracts/", "contracts/a.yaml"],
  ],
  ["the last branch", "x/\n└── contracts/\n    └── a.yaml", ["contracts/", "contracts/a.yaml"]],
  ["no root", "├── plan.md\n└── quickstart.md", ["plan.md", "quickstart.md"]],
  [
    "what is said not to be needed",
    "x/\n├── plan.md\n├── data-model.md # not needed: no data\n└── contracts/ (none)",
    ["plan.md"],
  ],
  [
    "placeholders and ways out",
    "x/\n├── [name].md\n├── ../../etc/passwd\n├── /etc/passwd\n├── ...\n└── plan.md",
    ["plan.md"],
  ],
])("understands %s", (_, tree, expected) => {
  expect(paths(plan(tree))).toEqual(expected);
});

it("reads only the tree of the feature's documents", () => {
  expect(paths(plan("x/\n└── plan.md", "### Something else"))).toEqual([]);
  expect(paths("# Plan\n\n### Documentation\n\nNo tree.\n")).toEqual([]);
  expect(
    paths(plan(Array.from({ length: 500 }, (_, i) => `├── f${i}.md`).join("\n"))),
  ).toHaveLength(100);
});
