import fc from "fast-check";
import { expect, it } from "vitest";
import { formatTime } from "./now.ts";

it("a time reads as toISOString writes it", () => {
  const clocks = fc.date({
    min: new Date("1970-01-01T00:00:00.000Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(clocks, (time) => {
      expect(formatTime(time)).toBe(time.toISOString());
    }),
  );
});
