import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import type { Phase } from "../../src/layouts/layout.ts";
import { documentsOf } from "../../src/prompts/documents.ts";
import { expectRefusal } from "../program/support.ts";
import { fillFolder, makeFolder } from "../program/temporary.ts";
import { layouts, speckit, specum } from "../support/editions.ts";
import { GOAL, makeFlow, nameIn, startFlow, written } from "./flow.ts";

interface Finding {
  readonly code: string;
  readonly target: string;
  readonly line: number;
}

describe.each(layouts)("$plugin template", (layout) => {
  it.each(documentsOf(layout))(
    "prints %s with what is known, and nothing left to fill in",
    async (name) => {
      const flow = await startFlow(layout);
      const { code, out } = await flow.call("template", name);
      expect(code).toBe(0);
      expect(out).not.toMatch(/\{\{\w+\}\}/);
      expect(out).toMatch(/<[a-z]/);
      if (layout.phases.some(({ document }) => document === name))
        expect(out).toContain(nameIn(layout));
      expect((await flow.call("template", name.replace(".md", ""))).out).toBe(out);
      expect((await flow.call("template", `./x/${name}`)).out).toBe(out);
    },
  );

  it("refuses what is not a document", async () => {
    const flow = await startFlow(layout);
    for (const word of ["poem", "../../etc/passwd", "", ".md"])
      expectRefusal(
        await flow.call("template", word),
        EXIT.usage,
        /there is no document .* there are: /,
      );
    expectRefusal(await flow.call("template"), EXIT.usage, /needs <document>/);
  });
});

describe.each(layouts)("$plugin check", (layout) => {
  const [first] = layout.phases as [Phase];

  it("checks every document that exists, or one", async () => {
    const flow = await startFlow(layout);
    expectRefusal(await flow.call("check"), EXIT.missing, /has no documents yet/);
    for (const { document } of layout.phases) flow.write(document);
    expect((await flow.run(["check"])).out).toBe(
      `✓ ${layout.phases.map(({ document }) => document).join(", ")}: complete\n`,
    );
    flow.write(first.document, "# Empty\n");
    const all = await flow.json(["check"]);
    expect(all).toMatchObject({ code: EXIT.refused, ok: false });
    expect(new Set((all["findings"] as Finding[]).map(({ target }) => target))).toEqual(
      new Set([first.document]),
    );
    expect(await flow.json(["check", layout.phases.at(-2)?.document ?? ""])).toMatchObject({
      code: 0,
    });
    const { out } = await flow.run(["check", first.document]);
    expect(out).toMatch(
      new RegExp(`^✗ ${first.document}:\\d+ The section ".*" is missing\\. Add`, "m"),
    );
    expect(out).toMatch(new RegExp(`\\d+ findings in ${first.document}\n$`));
  });

  it("refuses each template that is submitted unchanged", async () => {
    const flow = await startFlow(layout);
    for (const { document } of layout.phases) {
      flow.write(document, (await flow.call("template", document)).out);
      const { findings } = (await flow.json(["check", document])) as unknown as {
        findings: Finding[];
      };
      expect(findings.map(({ code }) => code)).toContain("placeholder");
    }
  });

  it("reads Windows line endings and a byte order mark", async () => {
    const flow = await startFlow(layout);
    for (const { document } of layout.phases)
      flow.write(document, `\uFEFF${written(layout, document).replaceAll("\n", "\r\n")}`);
    expect(await flow.json(["check"])).toMatchObject({ code: 0, ok: true });
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
  ])("says what is wrong with a document that is %s", async (_, make, says) => {
    const flow = await startFlow(layout);
    make(join(flow.folder, first.document));
    const { code, out } = await flow.call("submit");
    expect(code).toBe(EXIT.refused);
    expect(out).toMatch(says);
    expect((await flow.type("start")).code, "the prompt accepts that").toBe(0);
    expect((await flow.run(["status"])).code).toBe(0);
  });

  it("comes to an end with a long document of any kind", async () => {
    const flow = await startFlow(layout);
    for (const piece of ["<", "[", "`", "<!--", "| a ", "{{", "[x](", "# ", "- ", "> "]) {
      flow.write(first.document, `${piece.repeat(20_000)}\n${`${piece}\n`.repeat(20_000)}`);
      expect((await flow.run(["check", first.document])).code, piece).toBe(EXIT.refused);
    }
  }, 120_000);
});

function linkOut(path: string): void {
  const outside = fillFolder(makeFolder(), { "secret.md": written(specum, "research.md") });
  symlinkSync(join(outside, "secret.md"), path);
}

describe("a Spec Kit project's own templates", () => {
  const own = "# Spec: [FEATURE NAME]\n\n## Our Section\n\n[Tell the [OWNER] what it costs]\n";

  it("are printed with what is known, and overrides win", async () => {
    const flow = await startFlow(
      speckit,
      makeFlow(speckit, { ".specify/specs/": "", ".specify/templates/spec-template.md": own }),
    );
    expect((await flow.call("template", "spec")).out).toBe(`${own}\n`);
    fillFolder(flow.root, { ".specify/templates/overrides/spec-template.md": "# Other\n" });
    expect(await flow.json(["template", "spec"])).toMatchObject({ own: true, text: "# Other\n" });
    expect(await flow.json(["template", "plan"])).toMatchObject({ own: false });
  });

  it("say which placeholders must go, but not which sections there are", async () => {
    const flow = await startFlow(
      speckit,
      makeFlow(speckit, { ".specify/specs/": "", ".specify/templates/spec-template.md": own }),
    );
    flow.write("spec.md");
    expect(await flow.json(["check", "spec"])).toMatchObject({ code: 0 });
    flow.write(
      "spec.md",
      written(speckit, "spec.md").replace("# spec.md", "# Spec: [FEATURE NAME]"),
    );
    expect((await flow.json(["check", "spec"]))["findings"]).toMatchObject([
      { code: "placeholder", line: 1 },
    ]);
  });

  it("that lead out of the project are ignored", async () => {
    const flow = await startFlow(
      speckit,
      makeFlow(speckit, { ".specify/specs/": "", ".specify/templates/": "" }),
    );
    const outside = fillFolder(makeFolder(), { secret: "a secret\n" });
    symlinkSync(join(outside, "secret"), join(flow.root, ".specify/templates/spec-template.md"));
    expect((await flow.call("template", "spec")).out).not.toContain("a secret");
  });

  it("a constitution is written before any feature, and checked where it is", async () => {
    const flow = makeFlow(speckit, { ".specify/": "" });
    expect((await flow.call("template", "constitution")).out).toContain("## Core Principles");
    expect((await flow.json(["check", "constitution"]))["findings"]).toMatchObject([
      { code: "document-missing", target: "constitution.md" },
    ]);
    const place = ".specify/memory/constitution.md";
    fillFolder(flow.root, { [place]: written(speckit, "constitution.md") });
    expect(await flow.json(["check", "constitution"])).toMatchObject({ code: 0, ok: true });
    fillFolder(flow.root, { [place]: "# TBD\n" });
    expect(await flow.json(["check", "constitution"])).toMatchObject({ code: 1 });
    expect(await flow.prompt("start", GOAL)).toContain("Rules of the project: ./.specify/memory/c");
  });
});
