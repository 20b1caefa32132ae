import { expect, it } from "vitest";
import { addAgent, findAgent, removeAgent } from "./agents-out.ts";
import { startLoop } from "./loop.ts";

const loop = startLoop("s", {}, undefined, { at: "", runId: "r" });

it("knows who is at work on what, until they end", () => {
  const two = addAgent(addAgent(loop, "a", "1.1"), "b", "1.2");
  expect(findAgent(two, "1.2")).toBe("b");
  const left = removeAgent(two, "b");
  expect(left?.task).toBe("1.2");
  expect(left?.loop.out).toEqual({ a: "1.1" });
  expect(removeAgent(two, "c")).toBeUndefined();
});

it("stays short, whatever the client sends", () => {
  let many = loop;
  for (let i = 0; i < 100; i++) many = addAgent(many, `${i} ${"x".repeat(5000)}`, "1.1");
  expect(JSON.stringify(many.out).length).toBeLessThan(3000);
});
