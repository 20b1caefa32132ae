import { appendFileSync } from "node:fs";
import { expect, onTestFinished } from "vitest";
import { type Client, type ClientOptions, type ClientResult, startClient } from "./client.ts";
import { type Limits, type Model, type Script, startModel } from "./model.ts";
import { type Layout, makePlace, type Place, pluginDir } from "./place.ts";
import { keptProgress, makeProject, type Project } from "./project.ts";

/** A place without specs that is removed when the test ends. */
export function stagePlace(layout: Layout, files: Readonly<Record<string, string>> = {}): Place {
  const place = makePlace(layout, files);
  onTestFinished(() => place.remove());
  return place;
}

/** A project that is removed when the test ends. */
export function stageProject(
  layout: Layout,
  tasks: number,
  text?: (ids: readonly string[]) => string,
): Project {
  const project = makeProject(layout, tasks, text);
  onTestFinished(() => project.remove());
  return project;
}

/**
 * A model that is closed when the test ends. A script that failed or a limit that was passed fails the
 * test even when everything else looks right.
 */
export async function stageModel(
  script: Script,
  limits: Limits,
  isSide?: Parameters<typeof startModel>[2],
): Promise<Model> {
  const model = await startModel(script, limits, isSide);
  onTestFinished(async () => {
    await model.close();
    expect(model.faults).toEqual([]);
  });
  return model;
}

type Extra = Partial<ClientOptions>;

/** A client with the layout's plugin, in the project's root unless told otherwise. */
export async function stageClient(place: Place, model: Model, extra: Extra): Promise<Client> {
  const client = await startClient({
    model,
    cwd: place.root,
    home: place.home,
    pluginDirs: [pluginDir(place.layout)],
    ...extra,
  });
  onTestFinished(() => client.kill());
  return client;
}

/** One prompt from start to end. */
export async function perform(
  place: Place,
  model: Model,
  prompt: string,
  extra: Extra = {},
): Promise<ClientResult> {
  const client = await stageClient(place, model, { ...extra, prompt });
  const result = await client.done;
  // Also here: what went wrong in the script explains whatever the test is about to find.
  expect(model.faults).toEqual([]);
  expect(result.timedOut).toBe(false);
  return result;
}

/** The user's own Stop hook, next to ours. */
export function addStopHook(project: Project, command: string): void {
  // What such a hook leaves behind would be taken for the task's work.
  appendFileSync(project.path(".git/info/exclude"), "stops.log\nseen\n");
  const hooks = { Stop: [{ hooks: [{ type: "command", command }] }] };
  project.write(".claude/settings.json", JSON.stringify({ hooks }));
}

/** Keeps what the client sends its hooks at each stop. */
export const logStops = (project: Project): void =>
  addStopHook(project, `cat >> '${project.path("stops.log")}'`);

/** Every box is ticked, the state is gone, and the receipt comes after the notes that were there. */
export function expectFinished(project: Project): void {
  expect(project.open()).toEqual([]);
  expect(project.state()).toBeUndefined();
  expect(project.progress().startsWith(keptProgress)).toBe(true);
}
