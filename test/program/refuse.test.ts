import { readdirSync, readFileSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { expectRefusal, IN_SESSION, makePlace } from "./support.ts";

describe("implement", () => {
  it("says which command comes first if there is no tasks.md", () => {
    const place = makePlace(specum, { "specs/empty/requirements.md": "" });
    expectRefusal(
      place.run(["implement", "empty"]),
      EXIT.missing,
      /tasks\.md does not exist; write the tasks first/,
    );
    expect(readdirSync(join(place.root, "specs/empty"))).toEqual(["requirements.md"]);
  });

  it.each([
    [
      "no spec of that name",
      ["implement", "gone"],
      /there is no spec "gone"; there are: a, demo; name one of them/,
    ],
    [
      "several specs and no pointer",
      ["implement"],
      /there is no \.\/specs\/\.current-spec; there are: a, demo/,
    ],
  ])("names what there is, with %s", (_, argv, says) => {
    const place = makePlace(specum, { "specs/a/tasks.md": "- [ ] 1.1 x\n" });
    expectRefusal(place.run(argv), EXIT.missing, says);
    expectRefusal(place.run(argv, IN_SESSION), EXIT.missing, says);
  });

  it("is a prompt with one sentence where the client would show the whole failed line", () => {
    const place = makePlace(specum);
    const ran = place.run(["implement", "gone", "--typed", "s", "--as-prompt"]);
    expect(ran).toMatchObject({ code: 0, err: "" });
    const [order, , sentence, ...rest] = ran.out.trimEnd().split("\n");
    expect(order).toContain("do nothing else");
    expect(sentence).toMatch(/^ralph-specum: there is no spec "gone"; there are: demo/);
    expect(rest).toEqual([]);
    expect(place.run(["implement", "gone", "--typed", "s", "--as-prompt", "--json"]).code).toBe(3);
  });

  it("does not fall back on another spec when the pointer is out of date", () => {
    const place = makePlace(specum, { "specs/.current-spec": "gone\n" });
    expectRefusal(
      place.run(["implement"]),
      EXIT.missing,
      /\.current-spec is out of date, there is no spec "gone"; there are: demo/,
    );
  });

  it.each(["../../etc\n", "a\nb\n", "specs/demo\n"])(
    "does not blame the command line for the pointer %j",
    (text) => {
      const place = makePlace(specum, { "specs/.current-spec": text });
      expectRefusal(place.run(["implement"]), EXIT.broken, /there are: demo; name one of them/);
    },
  );

  it("asks for the path of an ambiguous name", () => {
    const place = makePlace(specum, {
      ".claude/ralph-specum.local.md": "---\nspecs_dirs: [specs, more]\n---\n",
      "more/demo/tasks.md": "- [ ] 1.1 x\n",
    });
    expectRefusal(
      place.run(["implement", "demo"]),
      EXIT.usage,
      /ambiguous: \.\/specs\/demo, \.\/more\/demo; give the path/,
    );
    expect(place.json(["implement", "./more/demo"])).toMatchObject({
      ok: true,
      path: "./more/demo",
    });
    expect(readFileSync(join(place.root, "specs/.current-spec"), "utf8")).toBe("./more/demo\n");
  });

  it("does not take a spec that a link leads out to, even if it is the only one", () => {
    const place = makePlace(specum, {}, "x");
    const outside = makePlace(specum);
    symlinkSync(outside.folder, join(place.root, "specs", "y"));
    expectRefusal(place.run(["implement", "y"]), EXIT.usage, /leads out of the project/);
    expect(place.json(["implement"])).toMatchObject({ ok: true, spec: "x" });
  });

  it("refuses a folder in the state's place, and writes nothing", () => {
    const place = makePlace(specum, { "specs/demo/.ralph-state.json/": "" });
    expectRefusal(
      place.run(["implement"]),
      EXIT.broken,
      /\.ralph-state\.json is a folder that we did not create; move it away/,
    );
    expect(readdirSync(place.folder).sort()).toEqual([".ralph-state.json", "tasks.md"]);
    expect(readdirSync(join(place.root, "specs"))).toEqual(["demo"]);
  });

  it.each([
    ["the pointer", "specs/.current-spec/", /\.current-spec/],
    [
      "the journal",
      "specs/demo/.ralph-journal.jsonl/",
      /\.ralph-journal\.jsonl cannot be used: it is a folder; fix that and try again/,
    ],
  ])("names a folder in the place of %s", (_, file, says) => {
    const place = makePlace(specum, { [file]: "" });
    expectRefusal(place.run(["implement", "demo"]), EXIT.broken, says);
    expect(place.state()).toBeUndefined();
  });

  it.each([["implement"], ["pause"], ["cancel"], ["next"], ["repair"]])(
    "%s names a lock that it cannot get",
    (verb) => {
      const place = makePlace(specum, { "specs/demo/.ralph-lock/": "" });
      utimesSync(join(place.folder, ".ralph-lock"), 0, 0);
      expectRefusal(
        place.run([verb]),
        EXIT.broken,
        /\.ralph-lock cannot be used: (?:it is a folder|permission is denied); fix that/,
      );
      expect(readdirSync(place.folder).sort()).toEqual([".ralph-lock", "tasks.md"]);
    },
  );

  it("starts even if git's exclude list cannot be written, and says so", () => {
    const place = makePlace(specum, { ".git/HEAD": "ref: refs/heads/main\n", ".git/info": "" });
    const { code, out } = place.slash(["implement"]);
    expect(code).toBe(0);
    expect(out).toMatch(/\nDo not commit the state and the journal: .*\.git\/info cannot be used/);
  });
});
