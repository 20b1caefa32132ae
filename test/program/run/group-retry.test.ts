import { expect, it } from "vitest";
import { makeNight } from "./night.ts";
import { COMPLETE, honest, scene, until } from "./scenes.ts";

it("a refused task of a group goes on at once, while the others are at work", async () => {
  const night = makeNight({ rows: ["1.1", "1.2"].map((id) => ({ id, tags: "[P]" })) });
  const again = night.counter("again");
  night.scenes([
    scene("1.1", [COMPLETE], [{ run: `touch ${again}` }, ...honest("1.1")]),
    scene("1.2", [until(`test -e ${again}`), ...honest("1.2")]),
  ]);
  const { code, events } = await night.run(["--parallel", "2"]);
  expect(code).toBe(0);
  const order = events.flatMap((one) =>
    one.kind === "attempt-started"
      ? [`${one.task} begins`]
      : one.kind === "attempt-ended"
        ? [`${one.task} ends`]
        : [],
  );
  expect(order.slice(2, 4)).toEqual(["1.1 ends", "1.1 begins"]);
});
