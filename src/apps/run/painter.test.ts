import { expect, it } from "vitest";
import { openPainter } from "./painter.ts";

function open() {
  const written: string[] = [];
  const painter = openPainter((text) => written.push(text));
  const take = (): string => written.splice(0).join("");
  take();
  return { painter, take };
}

it("writes only the lines that have changed", () => {
  const { painter, take } = open();
  painter.show(["one", "two", "three"]);
  expect(take()).toMatch(/one.*two.*three/s);
  painter.show(["one", "2", "three"]);
  expect(take()).toBe("\u001b[?2026h\u001b[2;1H\u001b[K2\u001b[?2026l");
  painter.show(["one", "2", "three"]);
  expect(take()).toBe("");
});

it("clears lines that are gone, and everything after a resize", () => {
  const { painter, take } = open();
  painter.show(["one", "two"]);
  take();
  painter.show(["one"]);
  expect(take()).toContain("\u001b[2;1H\u001b[K");
  painter.forget();
  painter.show(["one"]);
  expect(take()).toMatch(/\[2J.*one/s);
});

it("gives the screen back once, and writes nothing after that", () => {
  const { painter, take } = open();
  painter.close();
  expect(take()).toMatch(/\[\?25h.*\[\?1049l/s);
  painter.close();
  painter.show(["late"]);
  expect(take()).toBe("");
});
