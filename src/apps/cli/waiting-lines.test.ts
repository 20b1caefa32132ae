import { expect, it } from "vitest";
import type { Waiting } from "../../facts/waiting.ts";
import { paint } from "./paint.ts";
import { renderAmongSpecs } from "./waiting-lines.ts";

it("says why a run has stopped and what is left of it in one sentence", () => {
  const what = "The tasks of shop are not written yet";
  const todo = "smart-ralph run shop";
  const one: Waiting = { kind: "stopped", spec: "shop", tasks: [], what, why: "it died", todo };
  expect(renderAmongSpecs([one], paint(false), undefined)).toEqual([
    "? shop: it died; the tasks of shop are not written yet: smart-ralph run shop",
  ]);
});
