import { expect, onTestFinished } from "vitest";
import { type Ended, makeNight, type Night, type NightPlan } from "./night.ts";

/** Opens a night that is closed when its test ends. */
export async function openNight(plan: NightPlan): Promise<Night> {
  const night = await makeNight(plan);
  onTestFinished(() => night.close());
  return night;
}

/** Everything was proven, each task has one commit on the run's branch, and no process is left. */
export function expectProven(night: Night, { code, out }: Ended, ids: readonly string[]): void {
  expect(night.model.faults, out).toEqual([]);
  expect(code, out).toBe(0);
  const subjects = night.git("log", "--format=%s", "main..smart-ralph/demo").split("\n");
  for (const id of ids)
    expect(
      subjects.filter((one) => one === `feat: part ${id}`),
      id,
    ).toHaveLength(1);
  expect(night.living()).toEqual([]);
}

export const kindsIn = ({ events }: Ended, kind: string): Ended["events"] =>
  events.filter((event) => event.kind === kind);
