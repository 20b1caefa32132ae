import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSandbox } from "../../../src/exec/sandbox.ts";
import { plantRepository } from "../../support/trap.ts";
import { makeFolder } from "../temporary.ts";
import { makeNight } from "./night.ts";
import { COMPLETE, honest, scene } from "./scenes.ts";

const opened = openSandbox("bwrap", { network: true, image: undefined });
const why = opened.kind === "ok" ? "" : ` (skipped: ${opened.why})`;

const WAYS = [
  { name: "the run's own tree", tags: "", args: [] },
  { name: "a group's trees", tags: "[P]", args: ["--parallel", "2"] },
  { name: "the user's tree", tags: "", args: ["--here"] },
];
const PLACES = [
  { folder: "specs", within: "" },
  { folder: ".", within: "packages/app" },
];

/** The second task's first agent creates a repository around the spec; its next one removes that. */
async function expectUnused(
  { folder, within }: (typeof PLACES)[number],
  { tags, args }: (typeof WAYS)[number],
  box: readonly string[],
): Promise<void> {
  const mark = join(makeFolder(), "mark");
  const night = makeNight({
    settings: "default_max_iterations: 3",
    rows: [{ id: "1.1" }, { id: "1.2", tags }, { id: "1.3", tags }],
    within,
  });
  const [write] = honest("1.2");
  night.scenes([
    scene(
      "1.2",
      [write!, { run: plantRepository(folder, mark) }, COMPLETE],
      [{ run: `rm -rf ${folder}/.git` }, write!, COMPLETE],
    ),
  ]);
  const { code, events } = await night.run([...box, ...args]);
  expect(existsSync(mark), "its filter ran").toBe(false);
  expect({ code, end: events.at(-1) }).toMatchObject({ code: 0 });
  const own = ["for-each-ref", "--format=%(refname:short)", "refs/heads/smart-ralph"];
  const branch = args.includes("--here") ? "main" : night.git(...own);
  expect(night.git("log", "--format=%s", branch)).toContain("docs(demo): all tasks done");
  const files = night.git("ls-tree", "-r", "--name-only", branch).split("\n");
  expect(files).toContain(join(within, "t1-2.txt"));
  const refused = events.flatMap((event) => (event.kind === "refused" ? [event.reason] : []));
  // A group's tree is removed, and its copy of the spec is not read.
  if (tags === "")
    expect(refused).toContainEqual(
      expect.stringContaining(`${folder} became a repository of its own`),
    );
}

it.skipIf(opened.kind !== "ok")(
  `a project that is in no repository stays so, whatever an agent creates${why}`,
  async () => {
    const mark = join(makeFolder(), "mark");
    const night = makeNight({ rows: [{ id: "1.1" }, { id: "1.2" }] });
    rmSync(join(night.root, ".git"), { recursive: true });
    const [write] = honest("1.1");
    night.scenes([scene("1.1", [write!, { run: plantRepository(".", mark) }, COMPLETE])]);
    const { code } = await night.wait(night.start(["--here", "--sandbox", "bwrap"]));
    expect(existsSync(mark)).toBe(false);
    // Without git no task is more than checked.
    expect(night.events().at(-1)).toMatchObject({ kind: "run-ended", done: 2, total: 2 });
    expect(code).toBe(8);
  },
);

describe.each(PLACES)("a repository that an agent creates in $folder of $within", (place) => {
  it.each(WAYS)("is not used by our git, in $name", (way) => expectUnused(place, way, []));

  it.skipIf(opened.kind !== "ok").each(WAYS)(
    `is not used by our git outside the sandbox, in $name${why}`,
    (way) => expectUnused(place, way, ["--sandbox", "bwrap"]),
  );
});
