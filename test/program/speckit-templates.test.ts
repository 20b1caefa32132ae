import { expect, it } from "vitest";
import { speckit } from "../support/editions.ts";
import { makeFlow, startFlow } from "./flow.ts";
import { EXPECTED, TEMPLATES } from "./speckit-templates.ts";

it.each(Object.entries(TEMPLATES))("the project's own templates: %s", (what, files) => {
  const core = { ".specify/templates/spec-template.md": "# Spec\n" };
  const flow = startFlow(
    speckit,
    makeFlow(speckit, { ...core, ...files }).at("001-rate-limit", "specs"),
  );
  expect(flow.json(["template", "spec"])).toMatchObject({ own: true, text: EXPECTED[what] });
});

it("a template that is a link out of the project is not read", () => {
  const flow = startFlow(
    speckit,
    makeFlow(speckit, {
      ".specify/presets/a/preset.yml":
        "provides:\n  templates:\n  - {type: template, name: spec-template, file: ../../../secret.md}\n",
      "../secret.md": "# Secret\n",
    }),
  );
  expect(flow.json(["template", "spec"])).toMatchObject({ own: false });
});
