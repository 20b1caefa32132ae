import { afterEach, beforeEach, expect, vi } from "vitest";
import { writeCheckpoint } from "../../src/git/checkpoint.ts";
import type { Edition } from "../../src/layouts/layout.ts";
import { openProject } from "../../src/store/project.ts";
import { specAt } from "../../src/store/spec.ts";
import { specum } from "../support/editions.ts";
import { GIT_ENV, openRepository, type Repository } from "../support/repository.ts";
import { IN_SESSION, makePlace, type Place } from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

// Checkpoints are also made from within a test: git must not see this machine's settings there either.
beforeEach(() => {
  vi.stubEnv("HOME", makeFolder());
  vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

export interface Run extends Place, Pick<Repository, "git" | "commit" | "write" | "read" | "refs"> {
  /** Hands a task out: a checkpoint is made, as the loop does. */
  readonly hand: (task: string, attempt?: number) => string;
  readonly done: (task: string) => void;
  /** The user's word. */
  readonly accept: (task: string) => void;
  readonly undo: (...args: string[]) => ReturnType<Place["run"]>;
}

interface Start {
  readonly commitSpec?: boolean;
  /** What there is before the first task is handed out. */
  readonly prepare?: (repository: Repository) => void;
}

/** A project in git with a run of three tasks on. */
export function startRun(
  layout: Edition = specum,
  { commitSpec = false, prepare }: Start = {},
): Run {
  const made = makePlace(layout);
  if (!commitSpec) fillFolder(made.root, { ".gitignore": "ignored\nspecs/\n.specify/\n" });
  const repository = openRepository(made.root, made.root);
  repository.git("init", "-q", "-b", "main");
  repository.commit({ "src/a.ts": "0" }, "before");
  prepare?.(repository);
  return openRun(made, repository);
}

export function openRun(made: Place, repository: Repository): Run {
  const env = { ...IN_SESSION.env, ...GIT_ENV };
  const run: Place["run"] = (args, options) => made.run(args, { ...options, env });
  const place: Place = {
    ...made,
    run,
    json: (args, options) => made.json(args, { ...options, env }),
    slash: (args, session, options) => made.slash(args, session, { ...options, env }),
    slashJson: (args, session, options) => made.slashJson(args, session, { ...options, env }),
  };
  expect(made.slash(["implement", "demo"], undefined, { env }).code).toBe(0);
  const spec = specAt(openProject(made.layout, made.root), made.folder);
  const { git, commit, write, read, refs } = repository;
  return {
    ...place,
    git,
    commit,
    write,
    read,
    refs,
    hand: (task, attempt = 1) => writeCheckpoint(spec, task, attempt) as string,
    done(task) {
      const report = ["--report", "TASK_COMPLETE"];
      expect(run(["done", task, ...report]), `done ${task}`).toMatchObject({ code: 0 });
    },
    accept(task) {
      expect(place.slash(["accept", task]), `accept ${task}`).toMatchObject({ code: 0 });
    },
    undo: (...args) => run(["undo", ...args]),
  };
}

/** Two tasks done, a commit each; the third one is handed out. */
export function twoDone(layout?: Edition, options?: Start): Run {
  const run = startRun(layout, options);
  run.hand("1.1");
  run.commit({ "src/a.ts": "1", "src/one.ts": "" }, "feat: one");
  run.done("1.1");
  run.hand("1.2");
  run.commit({ "src/a.ts": "2", "src/two.ts": "" }, "feat: two");
  run.done("1.2");
  run.hand("1.3");
  return run;
}

export const boxes = (run: Place): string =>
  [...run.tasks().matchAll(/\[([ x])\] \d/g)].map(([, box]) => box).join("");
