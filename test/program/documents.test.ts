import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import type { Phase } from "../../src/layouts/layout.ts";
import { documentsOf } from "../../src/prompts/documents.ts";
import { layouts, speckit, specum } from "../support/editions.ts";
import { GOAL, makeFlow, nameIn, startFlow, written } from "./flow.ts";
import { expectRefusal } from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

interface Finding {
  readonly code: string;
  readonly target: string;
  readonly line: number;
}

describe.each(layouts)("$plugin template", (layout) => {
  it.each(documentsOf(layout))(
    "prints %s with what is known, and nothing left to fill in",
    (name) => {
      const flow = startFlow(layout);
      const { code, out } = flow.call("template", name);
      expect(code).toBe(0);
      expect(out).not.toMatch(/\{\{\w+\}\}/);
      expect(out).toMatch(/<[a-z]/);
      if (layout.phases.some(({ document }) => document === name))
        expect(out).toContain(nameIn(layout));
      expect(flow.call("template", name.replace(".md", "")).out).toBe(out);
      expect(flow.call("template", `./x/${name}`).out).toBe(out);
    },
  );

  it("refuses what is not a document", () => {
    const flow = startFlow(layout);
    for (const word of ["poem", "../../etc/passwd", "", ".md"])
      expectRefusal(flow.call("template", word), EXIT.usage, /there is no document .* there are: /);
    expectRefusal(flow.call("template"), EXIT.usage, /needs <document>/);
  });
});

describe.each(layouts)("$plugin check", (layout) => {
  const [first] = layout.phases as [Phase];

  it("checks every document that exists, or one", () => {
    const flow = startFlow(layout);
    expectRefusal(flow.call("check"), EXIT.missing, /has no documents yet/);
    for (const { document } of layout.phases) flow.write(document);
    expect(flow.run(["check"]).out).toBe(
      `✓ ${layout.phases.map(({ document }) => document).join(", ")}: complete\n`,
    );
    flow.write(first.document, "# Empty\n");
    const all = flow.json(["check"]);
    expect(all).toMatchObject({ code: EXIT.refused, ok: false });
    expect(new Set((all["findings"] as Finding[]).map(({ target }) => target))).toEqual(
      new Set([first.document]),
    );
    expect(flow.json(["check", layout.phases.at(-2)?.document ?? ""])).toMatchObject({ code: 0 });
    const { out } = flow.run(["check", first.document]);
    expect(out).toMatch(
      new RegExp(`^✗ ${first.document}:\\d+ The section ".*" is missing\\. Add`, "m"),
    );
    expect(out).toMatch(new RegExp(`\\d+ findings in ${first.document}\n$`));
  });

  it("refuses each template that is submitted unchanged", () => {
    const flow = startFlow(layout);
    for (const { document } of layout.phases) {
      flow.write(document, flow.call("template", document).out);
      const { findings } = flow.json(["check", document]) as unknown as { findings: Finding[] };
      expect(findings.map(({ code }) => code)).toContain("placeholder");
    }
  });

  it("reads Windows line endings and a byte order mark", () => {
    const flow = startFlow(layout);
    for (const { document } of layout.phases)
      flow.write(document, `\uFEFF${written(layout, document).replaceAll("\n", "\r\n")}`);
    expect(flow.json(["check"])).toMatchObject({ code: 0, ok: true });
  });

  it.each<[what: string, make: (path: string) => void, says: RegExp]>([
    ["a link out of the project", linkOut, /cannot be read: it is a link out of the project/],
    ["a folder", (path) => fillFolder(path, { x: "" }), /cannot be read: it is not a file/],
    [
      "huge",
      (path) => writeFileSync(path, Buffer.alloc(17 << 20, "a ")),
      /cannot be read: it is larger than 16 MB/,
    ],
    ["binary", (path) => writeFileSync(path, Buffer.from([0, 159, 146, 150])), /is missing/],
    ["a link to nowhere", (path) => symlinkSync("nowhere", path), /does not exist/],
  ])("says what is wrong with a document that is %s", (_, make, says) => {
    const flow = startFlow(layout);
    make(join(flow.folder, first.document));
    const { code, out } = flow.call("submit");
    expect(code).toBe(EXIT.refused);
    expect(out).toMatch(says);
    expect(flow.type("start").code, "the prompt accepts that").toBe(0);
    expect(flow.run(["status"]).code).toBe(0);
  });

  it("comes to an end with a long document of any kind", () => {
    const flow = startFlow(layout);
    for (const piece of ["<", "[", "`", "<!--", "| a ", "{{", "[x](", "# ", "- ", "> "]) {
      flow.write(first.document, `${piece.repeat(20_000)}\n${`${piece}\n`.repeat(20_000)}`);
      expect(flow.run(["check", first.document]).code, piece).toBe(EXIT.refused);
    }
  }, 120_000);
});

function linkOut(path: string): void {
  const outside = fillFolder(makeFolder(), { "secret.md": written(specum, "research.md") });
  symlinkSync(join(outside, "secret.md"), path);
}

describe("a Spec Kit project's own templates", () => {
  const own = "# Spec: [FEATURE NAME]\n\n## Our Section\n\n[Tell the [OWNER] what it costs]\n";

  it("are printed with what is known, and overrides win", () => {
    const flow = startFlow(
      speckit,
      makeFlow(speckit, { ".specify/specs/": "", ".specify/templates/spec-template.md": own }),
    );
    expect(flow.call("template", "spec").out).toBe(`${own}\n`);
    fillFolder(flow.root, { ".specify/templates/overrides/spec-template.md": "# Other\n" });
    expect(flow.json(["template", "spec"])).toMatchObject({ own: true, text: "# Other\n" });
    expect(flow.json(["template", "plan"])).toMatchObject({ own: false });
  });

  it("say which placeholders must go, but not which sections there are", () => {
    const flow = startFlow(
      speckit,
      makeFlow(speckit, { ".specify/specs/": "", ".specify/templates/spec-template.md": own }),
    );
    flow.write("spec.md");
    expect(flow.json(["check", "spec"])).toMatchObject({ code: 0 });
    flow.write(
      "spec.md",
      written(speckit, "spec.md").replace("# spec.md", "# Spec: [FEATURE NAME]"),
    );
    expect(flow.json(["check", "spec"])["findings"]).toMatchObject([
      { code: "placeholder", line: 1 },
    ]);
  });

  it("that lead out of the project are ignored", () => {
    const flow = startFlow(
      speckit,
      makeFlow(speckit, { ".specify/specs/": "", ".specify/templates/": "" }),
    );
    const outside = fillFolder(makeFolder(), { secret: "a secret\n" });
    symlinkSync(join(outside, "secret"), join(flow.root, ".specify/templates/spec-template.md"));
    expect(flow.call("template", "spec").out).not.toContain("a secret");
  });

  it("a constitution is written before any feature, and checked where it is", () => {
    const flow = makeFlow(speckit, { ".specify/": "" });
    expect(flow.call("template", "constitution").out).toContain("## Core Principles");
    expect(flow.json(["check", "constitution"])["findings"]).toMatchObject([
      { code: "document-missing", target: "constitution.md" },
    ]);
    const place = ".specify/memory/constitution.md";
    fillFolder(flow.root, { [place]: written(speckit, "constitution.md") });
    expect(flow.json(["check", "constitution"])).toMatchObject({ code: 0, ok: true });
    fillFolder(flow.root, { [place]: "# TBD\n" });
    expect(flow.json(["check", "constitution"])).toMatchObject({ code: 1 });
    expect(flow.prompt("start", GOAL)).toContain("Rules of the project: ./.specify/memory/c");
  });
});
