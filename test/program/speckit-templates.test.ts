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

it("presets that wrap each other many times over stay within bounds", () => {
  const presets = ["a", "b", "c", "d"].map((id) => ({
    [`.specify/presets/${id}/preset.yml`]:
      "provides:\n  templates:\n  - {type: template, name: spec-template, file: spec.md, strategy: wrap}\n",
    [`.specify/presets/${id}/spec.md`]: "{CORE_TEMPLATE}\n".repeat(3000),
  }));
  const core = { ".specify/templates/spec-template.md": "# Spec\n\n$ARGUMENTS\n" };
  const files = Object.assign({}, core, ...presets) as Record<string, string>;
  const flow = startFlow(speckit, makeFlow(speckit, files).at("001-rate-limit", "specs"));
  const { code, own, text } = flow.json(["template", "spec"]);
  expect({ code, own }).toEqual({ code: 0, own: true });
  expect(String(text)).toMatch(/^# Spec\n/);
  expect(String(text).length).toBeLessThan(512 << 10);
});
