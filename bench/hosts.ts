import { installAdapter, installClientNode, type Adapter } from "../test/e2e/hosts/adapter.ts";
import { adapters } from "../test/e2e/hosts/all.ts";
import { solo } from "../test/e2e/hosts/solo.ts";
import { startModel } from "../test/e2e/model.ts";
import { layouts, makeProject } from "../test/e2e/project.ts";
import { checkedTasks, loneLine } from "../test/e2e/team.ts";
import { progress, type Section, tableOf } from "./report.ts";

const TITLE = "Model calls in other clients";
const TASKS = 12;
/** For each task one call that works and one that reports; and a few around them. */
const LIMIT = 2 * TASKS + 4;

interface Row {
  readonly client: string;
  readonly calls: number;
  readonly side: number;
  readonly seconds: number;
}

/** What a run costs where the main agent does the work itself. */
export async function benchHosts(): Promise<Section> {
  const others = adapters.filter(({ worker }) => worker === "self");
  const rows: Row[] = [];
  for (const [index, adapter] of others.entries()) {
    progress(TITLE, index, others.length);
    rows.push(await runTasks(adapter));
  }
  progress(TITLE, others.length, others.length);
  return {
    title: TITLE,
    text: `A scripted model, ${TASKS} tasks one after the other, each proven by its Verify. The main agent does the work: it calls one tool for each task, and reports. The client's own calls are titles, classifiers and the like; the time is that of the whole run, its start included.

${tableOf(
  ["client", "calls of the main agent", "limit", "the client's own calls", "seconds"],
  rows.map(({ client, calls, side, seconds }) => [
    client,
    `${calls}`,
    `${LIMIT}`,
    `${side}`,
    `${seconds}`,
  ]),
)}
`,
    over: rows.flatMap(({ client, calls }) =>
      calls > LIMIT ? [`${client}: ${calls} calls for ${TASKS} tasks, the limit is ${LIMIT}`] : [],
    ),
  };
}

async function runTasks(adapter: Adapter): Promise<Row> {
  const [client, node] = await Promise.all([installAdapter(adapter), installClientNode()]);
  const place = makeProject(layouts[0], TASKS, checkedTasks());
  const { script } = solo(
    place,
    {
      executor: ({ id, worked }) =>
        worked ? `Wrote part ${id}.\n\nTASK_COMPLETE` : { call: [adapter.shell(loneLine(id))] },
    },
    adapter,
  );
  const model = await startModel(script, { main: 10 * TASKS }, adapter.isSide);
  try {
    await adapter.install({ place, client, node });
    const began = Date.now();
    const session = await adapter.open({ place, client, node, url: model.url });
    await session.say(adapter.type(place.layout, "implement demo"));
    await session.close();
    const left = place.open();
    if (left.length > 0 || model.faults.length > 0)
      throw new Error(
        `${adapter.name}: ${left.length} tasks were left; ${model.faults.join("; ")}`,
      );
    const seconds = Math.round((Date.now() - began) / 1000);
    const { main: calls, side } = model.calls;
    return { client: `${adapter.name} ${adapter.version}`, calls, side, seconds };
  } finally {
    await model.close();
    await place.remove();
  }
}

export const hostsNotRun = (why: string): Section => ({
  title: TITLE,
  text: `Not run: ${why}.`,
  over: [],
});
