import { expect, it } from "vitest";
import { HEAD, makeRunLog } from "../../../../test/support/run-log.ts";
import type { RunEvent } from "../../../runner/events.ts";
import { paint } from "../../cli/paint.ts";
import { lineFor } from "./lines.ts";

const { events } = makeRunLog();
const render = (event: RunEvent, colour = false): string | undefined =>
  lineFor(event, paint(colour), event.at);

it("prints a whole night as lines", async () => {
  const lines = events.flatMap((event) => render(event) ?? []);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("frames/lines.txt");
});

it("has a line for every kind of event, except those that only a screen shows", () => {
  const silent = new Set(
    events.filter((event) => render(event) === undefined).map(({ kind }) => kind),
  );
  expect([...silent].sort()).toEqual(["action", "plan", "usage"]);
});

it("does not say that the user has stopped an agent: the run may have lost its spec", () => {
  const ended = events.find(({ kind }) => kind === "attempt-ended") as RunEvent;
  const line = render({ ...ended, ending: { kind: "stopped", by: "user" } } as RunEvent);
  expect(line).toContain("was stopped");
});

it("lets no text control the terminal, or begin another line", () => {
  const evil = "\u001b[2J\u001b]0;x\u0007a\nb\u202e";
  for (const event of events) {
    const hostile = JSON.parse(JSON.stringify(event), (key, value: unknown) =>
      typeof value === "string" &&
      ![
        "at",
        "kind",
        "until",
        "resetsAt",
        "status",
        "source",
        "state",
        "class",
        "before",
        "after",
        "role",
        "by",
      ].includes(key)
        ? evil
        : value,
    ) as RunEvent;
    expect(render(hostile) ?? "").not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  }
});

it("has colours only if asked to", () => {
  const done = events.find(({ kind }) => kind === "done") as RunEvent;
  expect(render(done, true)).toContain("\u001b[32m✓");
  expect(render(done)).not.toContain("\u001b");
});

it("counts no tasks of a run that was refused before it read its list", () => {
  const ended = {
    ...HEAD,
    at: "2026-11-16T09:00:00Z",
    kind: "run-ended",
    status: "stuck",
  } as const;
  expect(render({ ...ended, done: 0, total: 0, text: "no git" })).toMatch(/stuck: no git$/);
  expect(render({ ...ended, done: 1, total: 2, text: "" })).toMatch(/stuck: 1 of 2 tasks done$/);
});

it("says no word twice", () => {
  const at = "2026-11-16T09:00:00Z";
  const ended = { ...HEAD, at, kind: "run-ended", status: "stopped", done: 0, total: 0 } as const;
  expect(render({ ...ended, text: "stopped" })).toMatch(/  stopped$/);
  const document = { spec: "a", task: "design.md", title: "design.md", agent: "x" };
  const began = {
    ...HEAD,
    at,
    kind: "attempt-started",
    role: "planning",
    attempt: 1,
    of: 4,
  } as const;
  expect(render({ ...began, ...document })).toMatch(/▶ design\.md: x, planning, attempt 1 of 4$/);
});
