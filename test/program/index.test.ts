import { readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layouts, specum } from "../support/editions.ts";
import { CODE, folderOf, read } from "./indexed.ts";
import { makePlace, type Place } from "./support.ts";
import { fillFolder } from "./temporary.ts";

const stampOf = (place: Place): string[] =>
  readdirSync(folderOf(place)).map((name) => {
    const { mtimeMs, ino } = statSync(join(folderOf(place), name));
    return `${name} ${mtimeMs} ${ino}`;
  });

describe.each(layouts)("$plugin index", (layout) => {
  const specs = layout.specsDirs[0];
  const { extras = specs } = layout;

  it("maps code and specs, and writes nothing the second time", () => {
    const place = makePlace(layout, {
      ...CODE,
      [`${specs}/demo/.progress.md`]: "# Progress\n\n## Original Goal\n\nPeople log in.\n",
    });
    const { code, out, err } = place.run(["index"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^services +1$/m);
    expect(out).toMatch(/^all +4$/m);
    expect(out).toContain(`wrote ./${extras}/.index/index.md, ./${extras}/.index/index-state.json`);
    const page = read(place, "index.md");
    for (const line of [
      "- **demo** — ready, 0 of 3 tasks done — People log in.",
      "- src/login.service.ts — Logs people in",
      "- src/mail.py — Sends mail",
      "- src/mail.test.ts",
      "- README.md — The shop",
    ])
      expect(page.split("\n")).toContain(line);
    expect(page).not.toContain("tasks.md");
    expect(place.json(["index"])).toMatchObject({
      files: 4,
      categories: { services: 1, source: 1, tests: 1, docs: 1, models: 0 },
    });

    const before = stampOf(place);
    for (const more of [[], ["--changed"], ["--quick"]]) {
      const again = place.run(["index", ...more]);
      expect(again.out).toMatch(/nothing changed since \S+; \S+ stays as it is/);
      expect(place.json(["index", ...more])).toMatchObject({ code: 0, written: [] });
    }
    expect(stampOf(place)).toEqual(before);
  });

  it("says what is new, changed and gone, and that a spec moved", () => {
    const place = makePlace(layout, CODE);
    place.run(["index"]);
    fillFolder(place.root, {
      "src/new.go": "func New() {}\n",
      "src/mail.py": "# Posts\n",
    });
    rmSync(join(place.root, "README.md"));
    fillFolder(place.folder, { "tasks.md": place.tasks().replace("[ ]", "[x]") });

    const dry = place.run(["index", "--dry-run"]);
    expect(dry.out).toMatch(/^\+ src\/new\.go\n~ src\/mail\.py\n- README\.md$/m);
    expect(dry.out).toContain("would write ");
    expect(read(place, "index.md")).toContain("README.md");

    expect(place.json(["index", "--changed"])).toMatchObject({
      added: { count: 1, paths: ["src/new.go"] },
      changed: { count: 1, paths: ["src/mail.py"] },
      gone: { count: 1, paths: ["README.md"] },
      files: 4,
      specsChanged: true,
      noSource: 1,
    });
    const page = read(place, "index.md");
    expect(page).toContain("- src/mail.py — Posts");
    expect(page).toContain("1 of 3 tasks done");
    expect(page).not.toContain("README.md");
  });

  it("leaves alone what is not its own", () => {
    const older = {
      "components/service-auth.md": "older",
      "external/url-docs.md": "# The docs\n",
      ".index-state.json": '{"hashes":{}}',
      "index.md": "# Written by hand\n",
      "index-state.json": '{"version":"1.0","specs":[{"name":"x"}],"theirs":7}',
    };
    const files = Object.entries(older).map(([name, text]) => [`${extras}/.index/${name}`, text]);
    const place = makePlace(layout, { ...CODE, ...(Object.fromEntries(files) as typeof CODE) });
    expect(place.run(["index"]).out).toContain("is kept as");
    for (const name of [
      "components/service-auth.md",
      "external/url-docs.md",
      ".index-state.json",
    ] as const)
      expect(read(place, name)).toBe(older[name]);
    expect(read(place, "index.before.md")).toBe(older["index.md"]);
    expect(read(place, "index.md")).toContain("- The docs (external/url-docs.md)");
    expect(JSON.parse(read(place, "index-state.json"))).toMatchObject({
      theirs: 7,
      specs: [{ name: "demo", phase: "tasks", taskIndex: 0, totalTasks: 3 }],
    });
    fillFolder(folderOf(place), { "index.md": "# By hand again\n" });
    place.run(["index"]);
    expect(read(place, "index.before.md")).toBe(older["index.md"]);
    expect(read(place, "index.before-2.md")).toBe("# By hand again\n");
    fillFolder(folderOf(place), { "index.md": "# Spec Index\n\nAuto-generated summary.\n" });
    expect(place.json(["index"])["written"]).toHaveLength(2);
    expect(readdirSync(folderOf(place)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});

describe("a narrower look", () => {
  const paths = (place: Place): string[] =>
    (JSON.parse(read(place, "index-state.json")) as { files: { path: string }[] }).files.map(
      ({ path }) => path,
    );

  it.each<[argv: string[], found: string[]]>([
    [
      ["--path", "src"],
      ["src/login.service.ts", "src/mail.py", "src/mail.test.ts"],
    ],
    [["--path=./src/"], ["src/login.service.ts", "src/mail.py", "src/mail.test.ts"]],
    [
      ["--type", "services,docs"],
      ["README.md", "src/login.service.ts"],
    ],
    [
      ["--type", "Service, doc"],
      ["README.md", "src/login.service.ts"],
    ],
    [["--exclude", "src"], ["README.md"]],
    [
      ["--exclude", "*.md", "--exclude", "*.test.*"],
      ["src/login.service.ts", "src/mail.py"],
    ],
    [["--exclude", "*.md,src/{login,mail}.*"], []],
  ])("%j", (argv, found) => {
    const place = makePlace(specum, CODE);
    expect(place.run(["index", ...argv]).code).toBe(0);
    expect(paths(place)).toEqual(found);
  });

  it("keeps the rest of the index", () => {
    const place = makePlace(specum, CODE);
    place.run(["index"]);
    rmSync(join(place.root, "src/mail.py"));
    rmSync(join(place.root, "README.md"));
    expect(place.json(["index", "--path", "src"])).toMatchObject({
      gone: { paths: ["src/mail.py"] },
    });
    expect(paths(place)).toEqual(["README.md", "src/login.service.ts", "src/mail.test.ts"]);
  });

  it("may begin in any folder of the project", () => {
    const place = makePlace(specum, CODE);
    place.run(["index", "--path", "."], { cwd: join(place.root, "src") });
    expect(paths(place)).toHaveLength(3);
  });

  it("a quick one reads nothing, and the next real one all", () => {
    const place = makePlace(specum, CODE);
    place.run(["index", "--quick"]);
    expect(read(place, "index.md")).toMatch(/^- src\/mail\.py$/m);
    place.run(["index", "--changed"]);
    expect(read(place, "index.md")).toContain("- src/mail.py — Sends mail");
  });

  it("--changed trusts size and time, the plain one the content, --force nothing", () => {
    const place = makePlace(specum, CODE);
    const path = join(place.root, "src/mail.py");
    utimesSync(path, 1, 1);
    place.run(["index"]);
    fillFolder(place.root, { "src/mail.py": CODE["src/mail.py"].replace("send", "post") });
    utimesSync(path, 1, 1);
    expect(place.json(["index", "--changed"])["written"]).toEqual([]);
    expect(place.json(["index"])).toMatchObject({ changed: { paths: ["src/mail.py"] } });
    expect(place.json(["index", "--force"])["written"]).toHaveLength(2);
  });
});

describe("an outside source", () => {
  const url = "https://docs.example.com/api/";
  const file = "external/url-docs-example-com-api.md";

  it("is recorded once, with its notes, and is in the index", () => {
    const place = makePlace(specum, CODE);
    place.run(["index"]);
    expect(place.run(["index", "--external", url, "--dry-run"]).out).toContain("would be recorded");
    expect(readdirSync(folderOf(place))).not.toContain("external");
    expect(
      place.run(["index", "--external", url, "--note", "the webhook's\nformat"]).out,
    ).toContain(`${url} is recorded in ./specs/.index/${file}; nothing was fetched`);
    expect(read(place, "index.md")).toContain(`— ${url} (${file})`);
    place.run(["index", "--external", url, "--note", "limits"]);
    expect(place.json(["index", "--external", url, "--note", "limits"])).toMatchObject({
      written: false,
    });
    expect(read(place, file)).toMatch(/source-id: https:.*\n- the webhook's format\n- limits\n$/s);
    expect(place.json(["index"])["written"]).toEqual([]);
  });

  it("does not take the place of another with the same name", () => {
    const place = makePlace(specum, { [`specs/.index/${file}`]: "# Mine\n" });
    expect(place.json(["index", "--external", url])).toMatchObject({
      path: "./specs/.index/external/url-docs-example-com-api-2.md",
    });
    expect(read(place, file)).toBe("# Mine\n");
  });
});
