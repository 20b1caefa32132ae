import { describe, expect, it } from "vitest";
import { now, SESSION } from "../../../test/support/scene.ts";
import type { Task } from "../../tasks/model.ts";
import { parseTasks } from "../../tasks/parse.ts";
import type { RunStanding } from "../change/insert-tasks.ts";
import { planFailure } from "../change/recovery.ts";
import { startLoop } from "../loop.ts";
import { planDone, planRefusal } from "./claim-outcome.ts";

const THREE = "- [x] 1.1 one\n- [ ] 1.2 two\n- [ ] 1.3 three\n";
const standing = (tasks: string): RunStanding => ({
  spec: { name: "demo", basePath: "./specs/demo" },
  list: parseTasks(tasks),
  state: { taskIndex: 1, taskIteration: 3 },
  loop: { ...startLoop(SESSION, {}, undefined, now), ticked: 1, attempts: { "1.2": 3, "1.3": 2 } },
});
const second = ({ list }: RunStanding): Task => list.tasks[1] as Task;

describe("a claim that held", () => {
  it("ticks the box, forgets its attempts alone, and moves the cache on", () => {
    const at = standing(THREE);
    const { tasks, write, open, brief } = planDone(at, second(at), "c1", { note: "proven" });
    expect(tasks).toBe(THREE.replace("[ ] 1.2", "[x] 1.2"));
    expect(write).toMatchObject({ event: "done", task: "1.2", note: "proven" });
    expect(write.loop).toMatchObject({ attempts: { "1.3": 2 }, ticked: 2, head: "c1" });
    expect(write.loop.attempts).not.toHaveProperty("1.2");
    expect(write.state).toMatchObject({ taskIndex: 2, totalTasks: 3, taskIteration: 2 });
    expect(open.map(({ id }) => id)).toEqual(["1.3"]);
    expect(brief.current.map(({ id }) => id)).toEqual(["1.3"]);
  });

  it("leaves a box alone that the executor ticked, and counts it", () => {
    const at = standing(THREE.replace("[ ] 1.2", "[X] 1.2"));
    const { tasks, write } = planDone(at, second(at), "");
    expect(tasks).toBeUndefined();
    expect(write.loop.ticked).toBe(2);
  });
});

describe("a claim that did not hold", () => {
  it("clears the box that was ticked for it; weighing it counts as movement", () => {
    const at = standing(THREE.replace("[ ] 1.2", "[x] 1.2"));
    const said = { note: "it is red" };
    const { tasks, write } = planRefusal(at, second(at), said);
    expect(tasks).toBe(THREE);
    const loop = { ...at.loop, moves: 1, refusals: { "1.2": 1 } };
    expect(write).toEqual({ event: "refused", task: "1.2", ...said, loop });
  });

  it("is not movement if it is made again and again, until an attempt is spent", () => {
    const at = standing(THREE);
    let { loop } = at;
    for (let i = 0; i < 20; i++) ({ loop } = planRefusal({ ...at, loop }, second(at), {}).write);
    expect(loop).toMatchObject({ moves: loop.maxAttempts });
    const [failed] = planFailure({ ...at, loop }, [], second(at), { reason: "red" }).writes;
    expect(failed?.loop.refusals).toEqual({});
  });

  it("costs an attempt if the box was ticked by hand", () => {
    const at = standing(THREE.replace("[ ] 1.2", "[x] 1.2"));
    expect(planRefusal(at, second(at), {}, { isByHand: true }).write.loop).toMatchObject({
      attempts: { "1.2": 4 },
      moves: 1,
    });
  });

  it("writes no tasks if the box is open", () => {
    const at = standing(THREE);
    expect(planRefusal(at, second(at), {}).tasks).toBeUndefined();
  });
});
