import { describe, expect, it } from "vitest";
import { planProgram } from "./program.ts";

const GIT = "C:\\Program Files\\Git\\cmd\\git.exe";

describe("the program for a name", () => {
  it.each(["linux", "darwin"])("is left to the system on %s", (platform) => {
    expect(planProgram("git", platform, {}, () => false)).toBe("git");
  });

  it.each<[what: string, path: string | undefined, there: string[], found: string | undefined]>([
    ["on the path", "C:\\Windows;C:\\Program Files\\Git\\cmd", [GIT], GIT],
    ["in quotes", '"C:\\Program Files\\Git\\cmd"', [GIT], GIT],
    ["the first", "D:\\a;C:\\Program Files\\Git\\cmd", ["D:\\a\\git.exe", GIT], "D:\\a\\git.exe"],
    ["none in the current folder", ".;;bin;C:tools", ["git.exe", "bin\\git.exe"], undefined],
    ["no script", "D:\\a", ["D:\\a\\git.cmd", "D:\\a\\git"], undefined],
    ["nothing without a path", undefined, [GIT], undefined],
  ])("is %s on Windows", (_, path, there, found) => {
    const env = path === undefined ? {} : { Path: path };
    expect(planProgram("git", "win32", env, (one) => there.includes(one))).toBe(found);
  });
});
