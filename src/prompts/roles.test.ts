import { describe, expect, it } from "vitest";
import { layouts } from "../../test/support/editions.ts";
import { planHandOut } from "../run/hand-out.ts";
import { startLoop } from "../run/loop.ts";
import { parseTasks } from "../tasks/parse.ts";
import { renderOrders } from "./render-task.ts";
import { renderInstructions } from "./roles.ts";

const loop = startLoop("s", {}, undefined, { at: "", runId: "r" });
const spec = { name: "demo", basePath: "./specs/demo" };
const brief = planHandOut(spec, parseTasks("- [ ] 1.1 one\n"), {}, loop);

describe.each(layouts)("an executor of $id", (layout) => {
  const instructions = renderInstructions(layout, "spec-executor");
  const orders = (mayAsk: boolean): string =>
    renderOrders(layout, brief, brief.current[0]!, undefined, mayAsk);

  it("is told to ask only if its orders say how, and only those of run do", () => {
    expect(instructions).toContain("ask only if your prompt says how");
    expect(instructions).not.toMatch(/nobody|never ask/i);
    expect(orders(true)).toMatch(/`[\w-]+ ask "…" --options a,b`/);
    expect(orders(false)).not.toMatch(/\bask\b/i);
  });
});
