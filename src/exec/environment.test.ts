import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { planVerifyEnvironment, resolveProgram, pickSteering } from "./environment.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "smart-ralph-path-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("variables that steer programs are the user's, and all others stay as they are", () => {
  const users = pickSteering({
    PATH: "/usr/bin",
    NODE_OPTIONS: "--a",
    HOME: "/h",
    LD_PRELOAD: undefined,
  });
  expect(users).toEqual({ PATH: "/usr/bin", NODE_OPTIONS: "--a" });
  const agents = { PATH: "/fake:/usr/bin", LD_PRELOAD: "/x.so", BASH_ENV: "/y", CI: "1" };
  expect(planVerifyEnvironment(agents, users)).toEqual({ CI: "1", ...users });
  expect(planVerifyEnvironment(agents, undefined)).toEqual(agents);
});

it.each(
  `npm_config_script_shell NPM_CONFIG_PREFIX GIT_CONFIG_COUNT GIT_CONFIG_GLOBAL GIT_EXEC_PATH MAKEFLAGS RUSTC_WRAPPER
  RUSTFLAGS GOFLAGS JAVA_TOOL_OPTIONS PYTEST_ADDOPTS PERL5LIB RUBYLIB CLAUDE_CODE_GIT_BASH_PATH SHELL ComSpec`.split(
    /\s+/,
  ),
)("%s is the user's, or is missing", (name) => {
  expect(planVerifyEnvironment({ [name]: "agent's" }, {})).toEqual({});
  expect(planVerifyEnvironment({ [name]: "agent's" }, pickSteering({ [name]: "own" }))).toEqual({
    [name]: "own",
  });
});

it.each(["HOME", "CI", "GIT_AUTHOR_NAME", "NPM_TOKEN", "MAKE", "SHELL_OPTIONS", "XPATH"])(
  "%s steers nothing",
  (name) => expect(planVerifyEnvironment({ [name]: "1" }, {})).toEqual({ [name]: "1" }),
);

it("a program is the first on the path that can be run", () => {
  for (const [name, mode] of [
    ["a", 0o644],
    ["b", 0o755],
    ["c", 0o755],
  ] as const) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "tool"), "#!/bin/sh\n");
    chmodSync(join(folder, name, "tool"), mode);
  }
  const PATH = ["a", "b", "c"].map((name) => join(folder, name)).join(delimiter);
  expect(resolveProgram("tool --all", { PATH })).toBe(join(folder, "b", "tool"));
  expect(resolveProgram("tool", { PATH: "relative" })).toBeUndefined();
  for (const command of ["./tool", "A=1 tool", "$(tool)", "", "absent"])
    expect(resolveProgram(command, { PATH }), command).toBeUndefined();
});

it("does not send git to another repository", () => {
  const hook = { GIT_DIR: "/r/.git", GIT_WORK_TREE: "/r", GIT_INDEX_FILE: "i", CI: "1" };
  expect(planVerifyEnvironment(hook, undefined)).toEqual({ CI: "1" });
  expect(planVerifyEnvironment(hook, { PATH: "/bin" })).toEqual({ CI: "1", PATH: "/bin" });
});
