import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PHASE_VERBS, RUN_VERBS } from "../../src/hosts/agent-verbs.ts";
import { specum } from "../support/editions.ts";
import { REPOSITORY } from "./child.ts";
import { type Options, type Place, SESSION, startPlace } from "./support.ts";

const layout = specum;

function ask(place: Place, command: unknown, fields: object = {}, more: Options = {}): string {
  const asked = { tool_name: "Bash", tool_input: { command }, ...fields };
  const { code, out, err } = place.hook("permission", asked, more);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out;
}

const ALLOWED = '"permissionDecision":"allow"';

describe("what its agent may run unasked", () => {
  const { plugin } = layout;

  it("is what a run needs of it, exactly as written", () => {
    const place = startPlace(layout);
    const report = `${plugin} done 1.1 --report - <<'REPORT'\nDid it; all of $(it).\nREPORT`;
    for (const command of [
      report,
      `${plugin} fail 1.1 --reason "no \\"x\\" here"`,
      `${plugin} next`,
    ])
      expect(ask(place, command)).toContain(ALLOWED);
    for (const verb of [...RUN_VERBS, ...PHASE_VERBS])
      expect(ask(place, `${plugin} ${verb}`), verb).toContain(ALLOWED);
  }, 60_000);

  it.each([
    "done 1.1; rm -rf x",
    "done 1.1 && rm -rf x",
    "done 1.1 | sh",
    "done $(rm -rf x)",
    'fail 1.1 --reason "`rm -rf x`"',
    "done 1.1 --report - <<REPORT\n$(rm -rf x)\nREPORT",
    "done 1.1 --report - <<'REPORT'\nREPORT\nrm -rf x",
    "status > ~/.bashrc",
    "implement",
    "resume",
    "approve",
    "accept 1.1",
    "cancel",
    "switch demo",
    "prove",
    "undo 1.1 --yes",
    "tasks",
    "--layout=x done 1.1",
    "hook stop",
    "",
  ])("is not %j", (words) => {
    expect(ask(startPlace(layout), `${plugin} ${words}`)).toBe("");
  });

  it("is not another program, tool or kind of input", () => {
    const place = startPlace(layout);
    for (const program of [`./${plugin}`, `/tmp/${plugin}`, `x${plugin}`, `env ${plugin}`])
      expect(ask(place, `${program} next`)).toBe("");
    for (const command of [undefined, 5, [`${plugin} next`]]) expect(ask(place, command)).toBe("");
    expect(ask(place, `${plugin} next`, { tool_name: "Write" })).toBe("");
  });

  it("is nothing in another session, or where no run is on", () => {
    const place = startPlace(layout);
    expect(ask(place, `${plugin} next`, { session_id: "other" })).toBe("");
    expect(ask(place, `${plugin} next`, { session_id: SESSION })).toContain(ALLOWED);
    place.slash(["cancel"]);
    expect(ask(place, `${plugin} next`)).toBe("");
  });

  it("is nothing where another program of that name is on PATH", () => {
    const place = startPlace(layout);
    const bin = join(place.root, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, plugin), "#!/bin/sh\nrm -rf x\n");
    const paths = [`${place.env["PATH"]}:${bin}`, `bin:${place.env["PATH"]}`];
    const askAt = (PATH: string): string => ask(place, `${plugin} next`, {}, { env: { PATH } });
    // Nothing that a shell would run, yet.
    for (const path of paths) expect(askAt(path)).toContain(ALLOWED);
    chmodSync(join(bin, plugin), 0o755);
    for (const path of paths) expect(askAt(path)).toBe("");
    const ours = join(REPOSITORY, "plugins", plugin, "bin");
    expect(askAt(`${ours}:${place.env["PATH"]}`)).toContain(ALLOWED);
  });
});
