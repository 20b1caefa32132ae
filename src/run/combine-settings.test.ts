import { describe, expect, it } from "vitest";
import { combineSettings } from "./combine-settings.ts";
import { defaultSettings, type StatedSettings } from "./settings.ts";

describe("combineSettings", () => {
  it.each<
    [key: string, user: StatedSettings, project: StatedSettings, holds: unknown, ignored: string]
  >([
    // What the project says counts where it tightens,
    ["enabled", {}, { enabled: false }, false, ""],
    ["stallLimit", {}, { stallLimit: 1 }, 1, ""],
    ["stallLimit", { stallLimit: 9 }, { stallLimit: 7 }, 7, ""],
    ["evidence", { evidence: "off" }, { evidence: "required" }, "required", ""],
    ["evidence", { evidence: "off" }, { evidence: "recorded" }, "recorded", ""],
    ["verifyTimeoutSeconds", {}, { verifyTimeoutSeconds: 5 }, 5, ""],
    ["verifyTimeoutSeconds", { verifyTimeoutSeconds: 600 }, { verifyTimeoutSeconds: 300 }, 300, ""],
    ["verifyAllow", {}, { verifyAllow: ["npm test"] }, ["npm test"], ""],
    ["commitSpec", {}, { commitSpec: false }, false, ""],
    ["quick", { quick: true }, { quick: false }, false, ""],
    ["maxAttempts", {}, { maxAttempts: 2 }, 2, ""],
    ["maxAttempts", {}, { maxAttempts: 5 }, 5, ""],
    ["maxAttempts", { maxAttempts: 9 }, { maxAttempts: 7 }, 7, ""],
    ["files", {}, { files: "enforce" }, "enforce", ""],
    ["files", { files: "off" }, { files: "report" }, "report", ""],
    // where it is a matter of taste,
    ["granularity", {}, { granularity: "fine" }, "fine", ""],
    ["granularity", { granularity: "fine" }, { granularity: "coarse" }, "coarse", ""],
    // and nowhere else.
    ["enabled", { enabled: false }, { enabled: true }, false, "enabled: true"],
    ["stallLimit", {}, { stallLimit: 4 }, 3, "stall_limit: 4"],
    ["stallLimit", { stallLimit: 2 }, { stallLimit: 3 }, 2, "stall_limit: 3"],
    ["evidence", {}, { evidence: "recorded" }, "required", "evidence: recorded"],
    ["evidence", {}, { evidence: "off" }, "required", "evidence: off"],
    ["evidence", { evidence: "recorded" }, { evidence: "off" }, "recorded", "evidence: off"],
    ["verifyTimeoutSeconds", {}, { verifyTimeoutSeconds: 101 }, 100, "verify_timeout: 101"],
    ["commitSpec", { commitSpec: false }, { commitSpec: true }, false, "auto_commit_spec: true"],
    ["quick", {}, { quick: true }, false, "quick_mode_default: true"],
    ["proveSetup", {}, { proveSetup: "npm ci" }, undefined, "prove_setup: npm ci"],
    ["branch", {}, { branch: "worktree" }, "auto", "branch: worktree"],
    ["branch", {}, { branch: "none" }, "auto", "branch: none"],
    ["branch", { branch: "branch" }, { branch: "none" }, "branch", "branch: none"],
    ["maxAttempts", {}, { maxAttempts: 6 }, undefined, "default_max_iterations: 6"],
    ["maxAttempts", { maxAttempts: 2 }, { maxAttempts: 3 }, 2, "default_max_iterations: 3"],
    ["files", {}, { files: "off" }, "report", "files: off"],
    ["files", { files: "enforce" }, { files: "report" }, "enforce", "files: report"],
    // What is as it is anyway is not worth a word.
    ["evidence", {}, { evidence: "required" }, "required", ""],
    ["quick", {}, { quick: false }, false, ""],
    ["branch", {}, { branch: "auto" }, "auto", ""],
    // The user's own file may say everything.
    ["evidence", { evidence: "off" }, {}, "off", ""],
    ["verifyTimeoutSeconds", { verifyTimeoutSeconds: 900 }, {}, 900, ""],
    ["proveSetup", { proveSetup: "npm ci" }, {}, "npm ci", ""],
    ["branch", { branch: "worktree" }, {}, "worktree", ""],
    ["quick", { quick: true }, {}, true, ""],
  ])("%s: the user %j, the project %j", (key, user, project, holds, ignored) => {
    const combined = combineSettings(user, project);
    expect(combined.settings).toEqual({ ...combineSettings(user, {}).settings, [key]: holds });
    expect(combined.ignored.map((one) => `${one.key}: ${one.said}`).join()).toBe(ignored);
  });

  it("has no setting that a project could loosen unnoticed", () => {
    const loose: StatedSettings = {
      stallLimit: 1000,
      evidence: "off",
      verifyTimeoutSeconds: 1000,
      files: "off",
      quick: true,
      branch: "worktree",
      maxAttempts: 1000,
      specsDirs: ["/", ".."],
    };
    const { settings, ignored } = combineSettings({}, loose, () => false);
    expect(settings).toEqual(defaultSettings);
    expect(new Set(ignored.map(({ key }) => key)).size).toBe(Object.keys(loose).length);
  });

  it("takes the project's weights one by one", () => {
    const said = { weights: { risky: 9 } };
    const { weights } = combineSettings({ weights: { risky: 1, impact: 5 } }, said).settings;
    expect(weights).toEqual({ ...defaultSettings.weights, risky: 9, impact: 5 });
  });

  it("accepts only those of the project's folders that may contain specs", () => {
    const combine = (user: StatedSettings, ...specsDirs: string[]) =>
      combineSettings(user, { specsDirs }, (folder) => folder.startsWith("in"));
    expect(combine({}, "in", "/", "in/x")).toMatchObject({
      settings: { specsDirs: ["in", "in/x"] },
      ignored: [{ key: "specs_dirs", said: "/" }],
    });
    expect(combine({ specsDirs: ["mine"] }, "/").settings.specsDirs).toEqual(["mine"]);
    expect(combine({}, "/").settings.specsDirs).toEqual([]);
  });
});
