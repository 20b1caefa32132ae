import fc from "fast-check";
import { setChecked } from "../../src/tasks/edit/tick.ts";
import type { Task } from "../../src/tasks/model.ts";
import { type Death, World } from "./world.ts";

/** Whatever happens to a spec, in whatever order. Numbers pick a task: there may be more of them by then. */
type Act =
  | {
      readonly kind: "done" | "tick" | "untick" | "delete" | "reorder" | "ask";
      readonly at: number;
    }
  | { readonly kind: "answer" }
  | { readonly kind: "fail"; readonly at: number; readonly reason: string }
  | { readonly kind: "fix-by-hand"; readonly at: number; readonly of: number }
  | { readonly kind: "split" | "add-before" | "add-after"; readonly at: number }
  | { readonly kind: "stop"; readonly claim: boolean }
  | { readonly kind: "recovery"; readonly on: boolean }
  | { readonly kind: "lose" | "truncate" | "tear" | "repair" | "resume" };

export type Step = Act & { readonly death?: Death };

export const pick = fc.nat({ max: 30 });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("done" as const), at: pick }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("fail" as const),
      at: pick,
      reason: fc.constantFrom("it broke", "no test", "- [ ] 9.9 [FIX 1.1] ```", "<!-- what"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom("split" as const, "add-before" as const, "add-after" as const),
      at: pick,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("stop" as const), claim: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "tick" as const,
        "untick" as const,
        "delete" as const,
        "reorder" as const,
        "ask" as const,
      ),
      at: pick,
    }),
  },
  fc.record({ kind: fc.constant("fix-by-hand" as const), at: pick, of: pick }),
  fc.record({ kind: fc.constant("recovery" as const), on: fc.boolean() }),
  fc.record({
    kind: fc.constantFrom(
      "lose" as const,
      "truncate" as const,
      "tear" as const,
      "repair" as const,
      "resume" as const,
      "answer" as const,
    ),
  }),
);
export const death = fc.record({ after: fc.nat({ max: 4 }), torn: fc.boolean() });
export const step: fc.Arbitrary<Step> = fc
  .tuple(act, fc.option(death, { nil: undefined, freq: 4 }))
  .map(([one, dies]) => (dies === undefined ? one : { ...one, death: dies }));

const tags = fc.constantFrom("", "", "[P] ", "[P] ", "[VERIFY] ");
const ids = fc.constantFrom("dotted", "spec kit", "none");
export const tasks = fc
  .tuple(ids, fc.array(tags, { minLength: 1, maxLength: 7 }))
  .map(([shape, all]) =>
    all
      .map((tag, i) => {
        const id = { dotted: `1.${i + 1} `, "spec kit": `T00${i + 1} `, none: "" }[shape];
        return `- [ ] ${id}${tag}task ${i}\n  - **Files**: src/${i}.ts\n`;
      })
      .join(""),
  );
/** A fresh spec, as data, so that a counterexample can be read. */
export const world = fc.record({ text: tasks, recoveryMode: fc.boolean() });

export const make = ({ text, recoveryMode }: { text: string; recoveryMode: boolean }): World =>
  new World(text, { recoveryMode });

export function perform(one: World, given: Step): void {
  const all = one.list().tasks;
  const task = "at" in given ? all[given.at % Math.max(1, all.length)] : undefined;
  switch (given.kind) {
    case "stop":
      return void one.stop(given.claim ? "ALL_TASKS_COMPLETE" : "Reported.", given.death);
    case "answer":
      return one.answer();
    case "lose":
      return void (one.state = undefined);
    case "truncate":
      return void (one.state = one.state?.slice(0, one.state.length / 2));
    case "tear":
      return void (one.journal = one.journal.slice(0, -20));
    case "repair":
    case "resume":
      return one.repair(given.kind === "resume");
    case "recovery":
      if (one.standing() !== undefined) {
        one.state = JSON.stringify({ ...JSON.parse(one.state ?? "{}"), recoveryMode: given.on });
      }
      return;
    default:
      if (task !== undefined) change(one, task, given);
  }
}

function change(one: World, task: Task, given: Extract<Step, { at: number }>): void {
  const { lines, tasks: all } = one.list();
  const own = lines.slice(task.line - 1, task.endLine);
  const without = [...lines.slice(0, task.line - 1), ...lines.slice(task.endLine)];
  switch (given.kind) {
    case "done":
      return one.done(task, given.death);
    case "fail":
      return one.fail(task, given.reason, given.death);
    case "split":
      return one.split(task, ["one half", "the other"], given.death);
    case "add-before":
    case "add-after":
      return one.add(task, given.kind === "add-before" ? "before" : "after", "more", given.death);
    case "ask":
      return one.ask(task);
    case "tick":
      return void (one.tasks = setChecked(one.list(), task, true));
    case "untick":
      return void (one.tasks = setChecked(one.list(), task, false));
    case "delete":
      return void (one.tasks = without.join(""));
    case "reorder":
      return void (one.tasks = [...own, ...without].join(""));
    case "fix-by-hand": {
      const fixed = all[given.of % all.length] as Task;
      one.tasks += `- [ ] ${task.id.startsWith("#") ? "" : task.id} [FIX ${fixed.id}] by hand\n`;
    }
  }
}
