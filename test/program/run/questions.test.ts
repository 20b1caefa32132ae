import { describe, expect, it } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import { fileOf, honest, makeNight, type Night, PROGRAM, scene } from "./night.ts";

const ask = (text: string, options: string): DemoStep => ({
  run: `"${process.execPath}" "${PROGRAM}" ask "${text}" --options ${options} > asked.txt 2>&1`,
});

const ASKS: DemoStep[] = [
  { write: fileOf("1.1"), text: "half" },
  ask("Which colour?", "red,blue"),
  { report: "I asked.\nTASK_BLOCKED" },
];

/** 1.2 depends on 1.1, 1.3 on nothing. */
const makeAsker = (): Night => {
  const night = makeNight({
    rows: [
      { id: "1.1", tags: "[P]" },
      { id: "1.3", tags: "[P]" },
    ],
  });
  const count = night.counter("ask");
  night.scenes([scene("1.1", [{ first: 1, count, steps: ASKS }, ...honest("1.1")])]);
  return night;
};

describe.each([["1"], ["2"]])("a question, --parallel %s", (parallel) => {
  it("holds its task, not the others; an answer lets it go on", async () => {
    const night = makeAsker();
    const args = ["--parallel", parallel];
    const { code, events } = await night.run(args);
    expect(code).toBe(5);
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: "question",
        task: "1.1",
        text: "Which colour?",
        options: ["red", "blue"],
      }),
    );
    expect(events.at(-1)).toMatchObject({ status: "waits", done: 1, total: 2 });
    expect(night.tasks()).toMatch(/- \[ \] 1\.1[\s\S]*- \[x\] 1\.3/);

    const waits = await night.run(args);
    expect(waits.code, "nobody has answered").toBe(5);
    expect(waits.events.filter(({ kind }) => kind === "attempt-started")).toEqual([]);

    expect(night.cli("inbox").out).toContain("Which colour?");
    expect(night.cli("answer", "1", "blue")).toMatchObject({ code: 0 });
    const after = await night.run(args);
    expect(after.code).toBe(0);
    const starts = after.events.filter((one) => one.kind === "attempt-started");
    expect(starts, "asking is no attempt").toMatchObject([{ task: "1.1", attempt: 1 }]);
    expect(night.work()).toHaveLength(3);
  });
});

it("the answer is in the next agent's orders, and whoever asks again gets it at once", async () => {
  const night = makeAsker();
  expect((await night.run()).code).toBe(5);
  expect(night.cli("answer", "1", "blue")).toMatchObject({ code: 0 });
  night.scenes([
    scene("1.1", [
      ask("Which colour?", "red,blue"),
      { run: "grep -q blue asked.txt && echo done > t1-1.txt; rm asked.txt" },
      { report: "It is blue.\nTASK_COMPLETE" },
    ]),
  ]);
  expect((await night.run()).code).toBe(0);
});
