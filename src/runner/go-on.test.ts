import { expect, it } from "vitest";
import { goOnCommand, repeatOptions } from "./go-on.ts";

it("repeats what the next run needs, quoted for a shell, and nothing about the display", () => {
  const options = repeatOptions({
    agent: "claude:opus,codex",
    here: true,
    "max-cost": "5",
    model: "it's mine",
    epic: "shop",
    directory: "/elsewhere",
    plain: true,
    json: true,
    detach: true,
    "no-wait": undefined,
  });
  expect(goOnCommand(["a spec"], options)).toBe(
    `smart-ralph run 'a spec' --agent claude:opus,codex --here --max-cost 5 --model 'it'\\''s mine'`,
  );
  expect(goOnCommand([], [])).toBe("smart-ralph run");
});
