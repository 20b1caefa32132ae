import { describe, expect, it } from "vitest";
import { parseFields, parseFiles } from "./fields.ts";
import type { Task } from "./model.ts";
import { parseTasks } from "./parse.ts";

const fieldsOf = (text: string): Record<string, string> => {
  const list = parseTasks(text);
  return Object.fromEntries(parseFields(list, list.tasks[0] as Task));
};
const filesOf = (text: string): readonly string[] => {
  const list = parseTasks(text);
  return parseFiles(list, list.tasks[0] as Task);
};

describe("parseFields", () => {
  it.each<[text: string, fields: Record<string, string>]>([
    ["- **Do**: a", { do: "a" }],
    ["- **Do:** a", { do: "a" }],
    ["**Done when** : a", { "done when": "a" }],
    ["* **Verify**: `npm test`", { verify: "`npm test`" }],
    ["+ **Verify**:", { verify: "" }],
    ["- _Requirements: 1.1, AC_2_", { requirements: "1.1, AC_2" }],
    ["_Design: a_  ", { design: "a" }],
    ["- **Do**:\n  1. a\n  2. b\n- **Files**: c", { do: "1. a\n2. b", files: "c" }],
    ["- **Do**: a\n  b\n\n  c", { do: "a\nb\n\nc" }],
    ["**Do**:\n1. a\n2. b\n**Files**: c", { do: "1. a\n2. b", files: "c" }],
    ["- **Verify**: a\n- plain\n  b", { verify: "a" }],
    ["- **Verify**: a\n> Unblocks: 1.2\nb", { verify: "a" }],
    ["- **Verify**: a\n- **Verify**: b", { verify: "b" }],
    [
      "- **Verify**:\n  ```sh\n  cat > a <<EOF\n  - x\n    - **Do**: y\n  EOF\n  ```",
      { verify: "```sh\ncat > a <<EOF\n- x\n  - **Do**: y\nEOF\n```" },
    ],
    ["- **bold**: a", {}],
    ["- **Bold** a", {}],
    ["- _Italic: a_ b", {}],
    ["- A **Do**: a", {}],
  ])("%j gives %j", (text, fields) => {
    const indented = text.replace(/^/gm, "  ");
    expect(fieldsOf(`- [ ] 1.1 x\n${indented}`)).toEqual(fields);
    expect(fieldsOf(`- [ ] 1.1 x\n${indented}\n`.replaceAll("\n", "\r\n"))).toEqual(fields);
  });
});

it("what a command quotes at the left margin belongs to its field", () => {
  const text =
    '- [ ] 1.1 x\n  - **Do**: `gh --body "$(cat <<EOF\n**Verify**: rm -rf a\n  - b\nEOF\n)"`\n  - **Files**: c\n';
  expect(fieldsOf(text)).toEqual({
    do: '`gh --body "$(cat <<EOF\n**Verify**: rm -rf a\n  - b\nEOF\n)"`',
    files: "c",
  });
});

describe("parseFiles", () => {
  it.each<[field: string, files: string[]]>([
    ["`src/a.ts`, `Makefile`", ["src/a.ts", "Makefile"]],
    ["src/a.ts, b.test.tsx", ["src/a.ts", "b.test.tsx"]],
    ["`src/a.ts`, src/b.ts (new)", ["src/a.ts", "src/b.ts"]],
    ["\n    - `src/a.ts`\n    - src/b.ts: create", ["src/a.ts", "src/b.ts"]],
    ["`./src/a.ts`, `src\\a.ts`, `src/a.ts:12-20`, **src/a.ts**", ["src/a.ts"]],
    ["[src/a.ts](src/a.ts).", ["src/a.ts"]],
    ["`app/[id]/(group)/page.tsx`", ["app/[id]/(group)/page.tsx"]],
    ["`src/*.ts`, `src/**`", ["src/*.ts", "src/**"]],
    ["`run this command`", []],
    ["None", []],
    ["", []],
  ])("of **Files**: %j are %j", (field, files) => {
    expect(filesOf(`- [ ] 1.1 In src/title.ts\n  - **Files**: ${field}`)).toEqual(files);
  });

  it.each<[title: string, files: string[]]>([
    ["Album model in src/models/album.ts", ["src/models/album.ts"]],
    ["`Album` model in `src/models/album.ts`", ["src/models/album.ts"]],
    ["Configure linting in .eslintrc.json", [".eslintrc.json"]],
    ["Größe in src/größe.ts.", ["src/größe.ts"]],
    ["Move a.c (e.g. to lib/b.c), see https://example.org/x.md", ["lib/b.c"]],
    ["Release v1.2.3 at 10.5%", []],
    ["Write it", []],
  ])("of the title %j are %j", (title, files) => {
    expect(filesOf(`- [ ] T012 [P] ${title}`)).toEqual(files);
  });

  it("are also found under **File**", () => {
    expect(filesOf("- [ ] 1.1 a\n  - **File**: `x`")).toEqual(["x"]);
  });
});
