import { expect, it } from "vitest";
import { HEAD, makeRunLog } from "../../test/support/run-log.ts";
import { isRunEvent, runEventsSchema } from "./events.ts";

const { events } = makeRunLog();

interface Schema {
  readonly properties?: Readonly<Record<string, Schema & { readonly enum?: readonly string[] }>>;
  readonly required?: readonly string[];
}

const schemas = (runEventsSchema() as { oneOf: readonly Schema[] }).oneOf;

const schemaOf = (kind: string): Schema | undefined =>
  schemas.find(({ properties }) => properties?.["kind"]?.enum?.[0] === kind);

it.each(schemas.map(({ properties }) => properties?.["kind"]?.enum?.[0] ?? ""))(
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
  { ...HEAD, kind: "toString", at: "" },
  { ...HEAD, kind: "__proto__", at: "" },
  { ...HEAD, kind: { toString: 1 }, at: "" },
  { ...HEAD, kind: "swept", at: "2026-11-16T01:00:00Z", count: -1 },
  { ...HEAD, kind: "swept", at: "2026-11-16T01:00:00Z", count: "2" },
  { ...HEAD, kind: "paused", at: "2026-11-16T01:00:00Z", seq: 0 },
  { ...HEAD, kind: "from-the-future", at: "2026-11-16T01:00:00Z" },
])("does not accept %j as an event", (value) => {
  expect(isRunEvent(value)).toBe(false);
});

it("leaves fields of newer versions alone", () => {
  expect(isRunEvent({ ...HEAD, kind: "paused", at: "2026-11-16T01:00:00Z", by: "somebody" })).toBe(
    true,
  );
});
