import { expect, it } from "vitest";
import type { AgentAdapter } from "../agents/adapter.ts";
import { claude } from "../agents/claude.ts";
import type { Script } from "../model.ts";
import { listOf, openNight, taskFile } from "./overnight.ts";

const IDS = Array.from({ length: 12 }, (_, i) => `1.${i + 1}`);

/** Does each task with one command, and says so. The third is a lie at first. */
const works =
  ({ shell }: AgentAdapter): Script =>
  ({ text, result, news }) => {
    if (result !== undefined) return "Written.\nTASK_COMPLETE";
    const [, id = ""] = /# Task (\S+) of /.exec(text + news) ?? [];
    const isLie = id === "1.3" && !(text + news).includes("Attempt 2");
    if (isLie) return "Written.\nTASK_COMPLETE";
    const file = taskFile(id);
    const command = `echo done > ${file} && git add -- ${file} && git commit -qm "feat: part ${id}" -- ${file}`;
    return { say: "I write it.", call: [shell(command)] };
  };

it("does twelve tasks with Claude Code, one process each, and does not believe a lie", async () => {
  const night = await openNight(claude, listOf(IDS), works(claude));
  const { code, events, out } = await night.run();
  expect(code, out).toBe(0);
  expect(night.model.faults).toEqual([]);
  expect(events.filter(({ kind }) => kind === "attempt-started")).toHaveLength(13);
  expect(events.filter(({ kind }) => kind === "refused")).toHaveLength(1);
  const subjects = night.git("log", "--format=%s", "main..smart-ralph/demo").split("\n");
  for (const id of IDS)
    expect(subjects.filter((one) => one === `feat: part ${id}`)).toHaveLength(1);
  expect(night.living()).toEqual([]);
});
