import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  death,
  make,
  perform,
  pick,
  step,
  type Step,
  tasks,
  world,
} from "../../test/support/acts.ts";
import { runsOf } from "../../test/support/full.ts";
import { World } from "../../test/support/world.ts";
import type { Task } from "../tasks/model.ts";
import { parseTasks } from "../tasks/parse.ts";
import type { Decision } from "./decision.ts";
import { LIMITS } from "./state.ts";

/** Said a second time and in other words than `locate` has for it. */
function helpersOf(task: Task, open: readonly Task[]): Task[] {
  const id = task.id.toUpperCase();
  if (id.startsWith("#")) return [];
  return open.filter(
    (one) =>
      one !== task &&
      one.tags.some(
        (tag) =>
          /^(FIX|PART) /.test(tag) &&
          tag
            .slice(4)
            .trim()
            .split(/[\s,]+/)
            .includes(id),
      ),
  );
}

/** Two that wait for one another: only a hand writes that, and then one of them has to be first. */
function waitsFor(task: Task, on: Task, open: readonly Task[], seen = new Set<Task>()): boolean {
  if (seen.has(task)) return false;
  seen.add(task);
  return helpersOf(task, open).some((one) => one === on || waitsFor(one, on, open, seen));
}

function expectSound(one: World, { outcome, prompt }: Decision): void {
  const list = parseTasks(one.tasks);
  const open = list.tasks.filter((task) => !task.checked);
  if (outcome === "finished") expect(open).toEqual([]);
  if (prompt?.kind !== "continue" && prompt?.kind !== "sent-back") return;
  expect(prompt.brief.current).not.toHaveLength(0);
  expect(new Set(prompt.brief.current.map((task) => task.index)).size).toBe(
    prompt.brief.current.length,
  );
  const firstOf = new Map(open.toReversed().map((task) => [task.id.toUpperCase(), task]));
  const asked = one.inbox.entries.filter(({ answeredAt }) => answeredAt === undefined);
  for (const { index, id } of prompt.brief.current) {
    const task = list.tasks[index] as Task;
    expect(asked.map((entry) => entry.task.toLowerCase())).not.toContain(id.toLowerCase());
    expect(task).toMatchObject({ id, checked: false });
    // If an id is used twice, the first open one is meant.
    const first = helpersOf(task, open).filter(
      (helper) => firstOf.get(id.toUpperCase()) === task && !waitsFor(helper, task, open),
    );
    expect(
      first.map((helper) => helper.id),
      `${id} was handed out`,
    ).toEqual([]);
  }
}

const RUNS = { numRuns: Number(process.env["FC_RUNS"] ?? runsOf(400)) };
const steps = fc.array(step, { maxLength: 25 });
const SAYS_WHY = ["limit", "exhausted", "stalled", "corrupt", "awaiting"];

describe("after any sequence of reports, changes, crashes and edits by hand", () => {
  it("the next stop has an answer, and what it hands out is open and in turn", () => {
    fc.assert(
      fc.property(world, steps, (first, given) => {
        const one = make(first);
        for (const each of given) {
          perform(one, each);
          expectSound(one, one.look());
        }
      }),
      RUNS,
    );
  });

  it("the run ends, done or with a reason, whatever the agent does next", () => {
    const habits = fc.array(step, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(world, steps, habits, (first, given, habit) => {
        const one = make(first);
        for (const each of given) perform(one, each);
        // The user says "go"; from here on it is the agent's.
        one.repair(true);
        let said: string | undefined;
        for (let stops = 0; ; stops++) {
          expect(stops).toBeLessThan(2 * LIMITS.maxGlobalIterations);
          const decision = one.stop();
          expectSound(one, decision);
          said = decision.say ?? said;
          if (decision.prompt === undefined) {
            const isOff = decision.outcome === "idle" && one.state === undefined;
            if (!isOff) expect(["finished", ...SAYS_WHY]).toContain(decision.outcome);
            if (!isOff) expect(said).toBeDefined();
            return;
          }
          const next = habit[stops % habit.length] as Step;
          // Accidents do not come at every turn: a journal that loses each line it gets bounds nothing.
          const { death: _, ...sound } = next;
          if (stops < habit.length) perform(one, next);
          else if (!["lose", "truncate", "tear", "repair", "resume"].includes(next.kind)) {
            perform(one, sound);
          }
        }
      }),
      RUNS,
    );
  });

  it("an agent that does what it is handed comes to the end, each task once, if its user answers", () => {
    fc.assert(
      fc.property(world, steps, (first, given) => {
        const one = make(first);
        for (const each of given) perform(one, each);
        if (one.list().tasks.length === 0) return;
        one.repair(true);
        const due = one.list().tasks.filter((task) => !task.checked).length;
        for (let stops = 0; stops <= due + 1; stops++) {
          const { outcome, prompt } = one.stop();
          if (outcome === "finished") return;
          if (outcome === "awaiting") {
            // Nothing but what waits for the user is left, and their word lets it go on.
            const { held = new Set() } = one.list();
            expect(held.size).toBeGreaterThan(0);
            for (const { id, checked } of one.list().tasks)
              if (!checked) expect([...held]).toContain(id);
            one.answer();
            continue;
          }
          expect(prompt?.kind, outcome).toBe("continue");
          if (prompt?.kind !== "continue") return;
          for (const { index } of prompt.brief.current) one.done(one.list().tasks[index] as Task);
        }
        expect.unreachable(one.tasks);
      }),
      RUNS,
    );
  });
});

it("a command that died on the way and is repeated leaves the tasks of one that lived", () => {
  const kind = fc.constantFrom(
    "fail" as const,
    "split" as const,
    "add-before" as const,
    "add-after" as const,
  );
  fc.assert(
    fc.property(world, kind, pick, death, (first, what, at, dies) => {
      const given: Step =
        what === "fail" ? { kind: what, at, reason: "it broke" } : { kind: what, at };
      const [lived, died] = [make(first), make(first)];
      const { id } = lived.list().tasks[at % lived.list().tasks.length] as Task;
      // A box without an id has another number afterwards: the agent would not say the same again.
      fc.pre(!id.startsWith("#"));
      perform(lived, given);
      perform(died, { ...given, death: dies });
      perform(died, { ...given, at: died.list().tasks.findIndex((task) => task.id === id) });
      expect(died.tasks).toBe(lived.tasks);
    }),
    RUNS,
  );
});

it("an agent that always fails gets its fixes within their limits, and a stop that says so", () => {
  fc.assert(
    fc.property(tasks, (text) => {
      const one = new World(text, { recoveryMode: true });
      let decision = one.stop();
      for (let stops = 0; decision.prompt?.kind === "continue"; stops++) {
        expect(stops).toBeLessThan(LIMITS.maxGlobalIterations);
        for (const { id } of decision.prompt.brief.current) {
          const task = one.list().tasks.find((other) => other.id === id);
          one.fail(task as Task, `failure ${stops}`);
        }
        decision = one.stop();
      }
      expect(decision.outcome).toBe("exhausted");
      expect(decision.say).toMatch(/failed in all 5 attempts/);
      const fixed = one
        .list()
        .tasks.flatMap((task) => task.tags.filter((tag) => tag.startsWith("FIX ")));
      for (const tag of fixed) {
        expect(fixed.filter((other) => other === tag).length).toBeLessThanOrEqual(
          LIMITS.maxFixTasksPerOriginal,
        );
        expect(tag.split(".").length).toBeLessThanOrEqual(1 + LIMITS.maxFixTaskDepth);
      }
    }),
    { numRuns: 50 },
  );
});
