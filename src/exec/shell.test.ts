import { describe, expect, it } from "vitest";
import { planShell } from "./shell.ts";

const PROGRAMS = "C:\\Program Files";
const GITS = ["Git\\cmd", "Git\\mingw64\\bin"].map((folder) => `${PROGRAMS}\\${folder}\\git.exe`);
const GIT = `${PROGRAMS}\\Git\\bin\\bash.exe`;

describe("the shell of a Verify", () => {
  it.each(["linux", "darwin", "freebsd"])("is sh on %s, whatever else there is", (platform) => {
    const env = { CLAUDE_CODE_GIT_BASH_PATH: GIT };
    expect(planShell("a && b", platform, env, () => true)).toEqual({
      file: "/bin/sh",
      args: ["-c", "a && b"],
    });
  });

  it.each<[what: string, env: Record<string, string>, there: string[], file: string | undefined]>([
    [
      "the one that the user named to the client",
      { CLAUDE_CODE_GIT_BASH_PATH: "D:\\b.exe", PATH: `${PROGRAMS}\\Git\\cmd` },
      ["D:\\b.exe", GIT],
      "D:\\b.exe",
    ],
    [
      "another, if that is gone",
      { CLAUDE_CODE_GIT_BASH_PATH: "D:\\b.exe", PATH: `${PROGRAMS}\\Git\\cmd` },
      [GIT],
      GIT,
    ],
    [
      "next to git",
      { Path: `C:\\Windows\\System32;${PROGRAMS}\\Git\\cmd` },
      ["C:\\Windows\\System32\\bash.exe", GIT],
      GIT,
    ],
    [
      "next to git, as its own bash sees it",
      { PATH: `${PROGRAMS}\\Git\\mingw64\\bin;${PROGRAMS}\\Git\\usr\\bin` },
      [GIT],
      GIT,
    ],
    [
      "next to git, on another drive",
      { PATH: "D:\\PortableGit\\cmd\\" },
      ["D:\\PortableGit\\cmd\\git.exe", "D:\\PortableGit\\bin\\bash.exe"],
      "D:\\PortableGit\\bin\\bash.exe",
    ],
    ["next to git, with slashes", { PATH: "C:/Program Files/Git/cmd" }, [GIT], GIT],
    ["where Git is installed for all", { ProgramFiles: PROGRAMS }, [GIT], GIT],
    [
      "where Git is installed for one",
      { LOCALAPPDATA: "C:\\Users\\tess\\AppData\\Local" },
      ["C:\\Users\\tess\\AppData\\Local\\Programs\\Git\\bin\\bash.exe"],
      "C:\\Users\\tess\\AppData\\Local\\Programs\\Git\\bin\\bash.exe",
    ],
    [
      "not the one of another system",
      { PATH: "C:\\Windows\\System32;C:\\digit\\bin" },
      ["C:\\Windows\\System32\\bash.exe", "C:\\Windows\\bin\\bash.exe", "C:\\bin\\bash.exe"],
      undefined,
    ],
    ["the system's own, if there is none", {}, [], undefined],
    [
      "the system's own, if the variable is empty",
      { CLAUDE_CODE_GIT_BASH_PATH: "" },
      [""],
      undefined,
    ],
  ])("on Windows: %s", (_, env, there, file) => {
    const shell = planShell("test -f x", "win32", env, (path) =>
      [...there, ...GITS].includes(path),
    );
    expect(shell).toEqual({ file, args: file === undefined ? [] : ["-c", "test -f x"] });
  });
});
