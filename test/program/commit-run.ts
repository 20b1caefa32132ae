import { expect } from "vitest";
import { specum } from "../support/editions.ts";
import { openRepository, type Repository } from "../support/repository.ts";
import { report } from "./claims.ts";
import { makePlace, type Place, userFileOf } from "./support.ts";

export const TWO = `- [ ] 1.1 Write it
  - **Verify**: \`test -f a.txt\`
  - **Commit**: \`feat(demo): it's here\`
- [ ] 1.2 Then this
  - **Verify**: \`test -f a.txt\`
`;

interface Setting {
  readonly settings?: string;
  readonly before?: (git: Repository) => void;
  readonly files?: Readonly<Record<string, string>>;
}

/** A run in a repository. `before` is what its user did earlier and has not committed. */
export function begin(
  tasks = TWO,
  { settings = "", before, files = {} }: Setting = {},
  layout = specum,
): Repository & { place: Place } {
  const place = makePlace(layout, {
    [`${layout.specsDirs[0]}/demo/tasks.md`]: tasks,
    "mine.txt": "old\n",
    ...files,
    ...(settings === "" ? {} : { [userFileOf(layout)]: `---\n${settings}\n---\n` }),
  });
  const git = openRepository(place.root, place.env["HOME"] as string);
  git.git("init", "-q", "-b", "main");
  git.commit();
  before?.(git);
  expect(place.slash(["implement", "demo"]).code).toBe(0);
  return { ...git, place };
}

export const refusalOf = (place: Place, id = "1.1"): string =>
  String(report(place, "TASK_COMPLETE", id)["refusal"] ?? "");
