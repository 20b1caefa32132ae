import { join } from "node:path";
import { expect, it } from "vitest";
import { layouts } from "../../layouts/all.ts";
import { opencode } from "./host.ts";
import { install } from "./install.ts";
import { packageFiles } from "./package.ts";

it("gives the client the folder that the build makes", () => {
  const made = packageFiles(layouts.map((layout) => opencode.edition(layout)));
  const given = layouts.flatMap(({ plugin }) =>
    install
      .steps({ root: "/project", package: ".", plugin, env: {} })
      .map((step) => (step.kind === "run" ? step.command[2] : undefined)),
  );
  expect(given.map((folder) => join(folder ?? "", "package.json"))).toEqual(
    made.map(({ path }) => join(path)),
  );
});
