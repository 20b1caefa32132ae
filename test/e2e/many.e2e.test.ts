import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { blocks, hookAnswers } from "./hooks.ts";
import { oneLayout, specFiles } from "./place.ts";
import type { Project } from "./project.ts";
import { stageClient, stageModel, stagePlace } from "./stage.ts";
import { checkedTasks, countsOf, once, outputOf, team, workLine } from "./team.ts";
import { bash } from "./wire.ts";

describe.each(oneLayout)("$id: two sessions, two specs", (layout) => {
  test("both finish, task by task in turns, and neither hears about the other", async () => {
    const names = ["fine-left", "fine-right"] as const;
    const ids = Array.from({ length: 4 }, (_, i) => layout.taskId(i));
    // Each spec has its own files: the two share a work tree.
    const fileOf = (name: string, id: string): string => outputOf(`${name}-${id}`);
    const list = (name: string): string =>
      ids.reduce(
        (text, id) => text.replaceAll(outputOf(id), fileOf(name, id)),
        checkedTasks()(ids),
      );
    const place = stagePlace(
      layout,
      Object.fromEntries(names.map((name) => [`${layout.specs}/${name}/tasks.md`, list(name)])),
    );
    const projects = names.map((name): Project => ({
      ...place,
      ...specFiles(place, `${layout.specs}/${name}`),
      ids,
    }));
    /** Tasks begun by each, so that they take turns. */
    const begun = [0, 0];
    const until = async (isSo: () => boolean): Promise<void> => {
      for (let i = 0; !isSo() && i < 500; i++) await sleep(20);
      expect(isSo()).toBe(true);
    };
    const teams = projects.map((project, me) =>
      team(project, {
        async executor({ id, worked }) {
          if (worked) return "Wrote it.\n\nTASK_COMPLETE";
          begun[me] = (begun[me] as number) + 1;
          const turn = begun[me] as number;
          // Nobody is more than one task ahead, so both are at work all the time.
          await until(() => (begun[1 - me] as number) >= turn - (me === 0 ? 0 : 1));
          const own = fileOf(names[me] as string, id);
          return { call: [bash(workLine(id).replaceAll(outputOf(id), own))] };
        },
      }),
    );
    const runs = await Promise.all(
      teams.map(async ({ script }, me) => {
        const model = await stageModel(script, { main: ids.length + 1, sub: 2 * ids.length });
        const client = await stageClient(place, model, {
          prompt: place.slash(`implement ${names[me] as string}`),
        });
        return { run: await client.done, model };
      }),
    );
    for (const [me, project] of projects.entries()) {
      const { run, model } = runs[me] as (typeof runs)[number];
      const [mine, other] = me === 0 ? names : [...names].reverse();
      expect(run.timedOut).toBe(false);
      expect(project.open()).toEqual([]);
      expect(project.state()).toBeUndefined();
      expect(countsOf(project, "delegated")).toEqual(once(ids));
      expect(countsOf(project, "done")).toEqual(once(ids));
      expect(teams[me]?.started.map((one) => one.split(" ")[0])).toEqual(ids);
      // Neither the model nor the user is told a word about the other spec. Its commits are in the same branch, and
      // are listed in the end.
      const told = [
        ...model.asks.map(({ news }) => news),
        ...blocks(run.events).map(({ reason }) => reason),
        ...hookAnswers(run.events, "Stop").map(({ systemMessage }) => systemMessage),
      ]
        .join("\n")
        // The client itself shows agents what git says.
        .replaceAll(/^(?:- [0-9a-f]{9}| ?[A-Z?]{1,2}) .*$/gm, "");
      expect(told).toContain(mine);
      expect(told).not.toContain(other);
    }
  });
});
