import { readdirSync } from "node:fs";
import { expect } from "vitest";
import { specum } from "../support/editions.ts";
import { openRepository, type Repository } from "../support/repository.ts";
import { makePlace, type Place } from "./support.ts";
import { makeFolder } from "./temporary.ts";

export interface Stage {
  readonly place: Place;
  readonly git: Repository;
  /** Where temporary files go. */
  readonly tmp: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A project in git, and a folder for temporary files. */
export function stageWith(files: Readonly<Record<string, string>>): Stage {
  const place = makePlace(specum, files);
  const git = openRepository(place.root, place.env["HOME"] as string);
  git.git("init", "-q", "-b", "main");
  git.commit();
  const tmp = makeFolder();
  return { place, git, tmp, env: { TMPDIR: tmp } };
}

export const verdictsOf = (answer: Readonly<Record<string, unknown>>): string[] =>
  (answer["specs"] as { tasks: { id: string; verdict: string }[] }[]).flatMap(({ tasks }) =>
    tasks.map(({ id, verdict }) => `${id} ${verdict}`),
  );

/** Neither a folder nor anything in git is left. */
export function expectNothingLeft({ git, tmp }: Stage): void {
  expect(readdirSync(tmp).filter((name) => name.includes("prove"))).toEqual([]);
  expect(git.git("worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
}
