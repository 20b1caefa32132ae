import { array, assert, constantFrom, property, record, subarray } from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "../../test/support/full.ts";
import { beginEpic, type Epic, type NewSpec, planAdd, planRemove } from "./model.ts";
import { type EpicPlan, isOpen, planEpic, type SpecStanding } from "./plan.ts";

const NAMES = ["a", "b", "c", "d", "e", "f", "g"];
const name = constantFrom(...NAMES);
const wishes = array(
  record({ name, goal: constantFrom("x"), dependencies: subarray(NAMES, { maxLength: 3 }) }),
  { maxLength: 25 },
);
const RUNS = { numRuns: runsOf(500) };

const addAll = (specs: readonly NewSpec[], from = beginEpic("big", "")): Epic =>
  specs.reduce((epic, wish) => {
    const change = planAdd(epic, wish);
    return change.kind === "changed" ? change.epic : epic;
  }, from);

/** Forward references that never came. */
const missing = ({ specs }: Epic): NewSpec[] => {
  const known = new Set(specs.map((spec) => spec.name));
  const wanted = new Set(specs.flatMap(({ dependencies }) => dependencies));
  return [...wanted]
    .filter((one) => !known.has(one))
    .map((one) => ({ name: one, goal: "", dependencies: [] }));
};

/** An oracle without cleverness: follow every dependency, at most as deep as there are specs. */
function canReachItself({ specs }: Epic): boolean {
  const from = new Map(specs.map((spec) => [spec.name, spec.dependencies]));
  return specs.some((spec) => {
    const seen = new Set<string>();
    const walk = (one: string): boolean =>
      (from.get(one) ?? []).some((on) => {
        if (on === spec.name) return true;
        if (seen.has(on)) return false;
        seen.add(on);
        return walk(on);
      });
    return walk(spec.name);
  });
}

describe("an epic", () => {
  it("never has a cycle, whatever is added and removed", () => {
    assert(
      property(wishes, array(name), (specs, removed) => {
        const epic = addAll(specs);
        expect(canReachItself(epic)).toBe(false);
        expect(planEpic(epic, () => "none").cycles).toEqual([]);
        const less = removed.reduce((old, one) => {
          const change = planRemove(old, one, true);
          return change.kind === "changed" ? change.epic : old;
        }, epic);
        const again = addAll(specs, less);
        expect(canReachItself(again)).toBe(false);
        expect(new Set(again.specs.map((spec) => spec.name)).size).toBe(again.specs.length);
      }),
      RUNS,
    );
  });

  it("refuses only a cycle, a duplicate or itself", () => {
    assert(
      property(wishes, (specs) => {
        let epic = beginEpic("big", "");
        for (const wish of specs) {
          const change = planAdd(epic, wish);
          const isDouble = epic.specs.some((spec) => spec.name === wish.name);
          const raw = { ...epic, specs: [...epic.specs, { ...wish, status: "pending" as const }] };
          expect(change.kind === "refused").toBe(isDouble || canReachItself(raw));
          if (change.kind === "changed") epic = change.epic;
        }
      }),
      RUNS,
    );
  });

  it("never hands out a spec with a dependency that is not finished", () => {
    const standing = constantFrom<SpecStanding[]>("none", "begun", "finished");
    assert(
      property(wishes, array(standing, { minLength: 7, maxLength: 7 }), (specs, standings) => {
        const at = (one: string): SpecStanding => standings[NAMES.indexOf(one)] as SpecStanding;
        const { next, specs: planned } = planEpic(addAll(specs), at);
        for (const on of next?.dependencies ?? []) expect(at(on)).toBe("finished");
        if (next === undefined)
          for (const spec of planned)
            expect(isOpen(spec.status) && !spec.blockedBy.length).toBe(false);
        const places = new Map(planned.map((spec, i) => [spec.name, i]));
        for (const [i, spec] of planned.entries())
          for (const on of spec.dependencies) expect(places.get(on) ?? -1).toBeLessThan(i);
      }),
      RUNS,
    );
  });

  it("is finished by doing what is next until nothing is", () => {
    assert(
      property(wishes, (specs) => {
        const half = addAll(specs);
        const epic = addAll(missing(half), half);
        const finished = new Set<string>();
        const look = (): EpicPlan =>
          planEpic(epic, (one) => (finished.has(one) ? "finished" : "none"));
        for (let plan = look(); plan.next !== undefined; plan = look()) {
          expect(finished.has(plan.next.name)).toBe(false);
          finished.add(plan.next.name);
        }
        expect(look().done).toBe(epic.specs.length);
      }),
      RUNS,
    );
  });
});
