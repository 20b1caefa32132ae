import { expect, it } from "vitest";
import { makeRunLog } from "../../test/support/run-log.ts";
import { type DescribedEvent, eventKinds, isRunEvent, runEventsSchema } from "./event-schema.ts";
import type { RunEvent } from "./events.ts";

const { events } = makeRunLog();

interface Schema {
  readonly properties?: Readonly<Record<string, Schema & { readonly enum?: readonly string[] }>>;
  readonly required?: readonly string[];
}

const schemas = (runEventsSchema() as { oneOf: readonly Schema[] }).oneOf;

const schemaOf = (kind: string): Schema | undefined =>
  schemas.find(({ properties }) => properties?.["kind"]?.enum?.[0] === kind);

it("allows every event that the type allows", () => {
  // Does not compile otherwise; the other way round, `eventKinds` does not.
  const described = (event: RunEvent): DescribedEvent => event;
  expect(events.map(described)).toEqual(events);
});

it.each(Object.keys(eventKinds))(
  "knows %s, in the example night and in the published schema",
  (kind) => {
    const own = events.filter((event) => event.kind === kind);
    expect(own).not.toEqual([]);
    for (const event of own) {
      expect(isRunEvent(event), JSON.stringify(event)).toBe(true);
      expect(Object.keys(schemaOf(kind)?.properties ?? {})).toEqual(
        expect.arrayContaining(Object.keys(event)),
      );
      for (const name of schemaOf(kind)?.required ?? []) {
        const { [name]: _, ...less } = event as unknown as Record<string, unknown>;
        expect(isRunEvent(less), `${kind} without ${name}`).toBe(false);
      }
    }
  },
);

it.each([
  null,
  7,
  "run-started",
  [],
  {},
  { kind: "toString", at: "" },
  { kind: "__proto__", at: "" },
  { kind: "swept", at: "2026-11-16T01:00:00Z", count: -1 },
  { kind: "swept", at: "2026-11-16T01:00:00Z", count: "2" },
  { kind: "from-the-future", at: "2026-11-16T01:00:00Z" },
])("does not accept %j as an event", (value) => {
  expect(isRunEvent(value)).toBe(false);
});

it("leaves fields of newer versions alone", () => {
  expect(isRunEvent({ kind: "paused", at: "2026-11-16T01:00:00Z", by: "somebody" })).toBe(true);
});
