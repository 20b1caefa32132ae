import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { DRIVEN, NO_RUN } from "../run/driven.ts";
import { runToEnd } from "./run-to-end.ts";
import { askProgram, startProgram } from "./start.ts";

const place = { cwd: tmpdir(), env: { PATH: process.env["PATH"] } };

it("what is started carries our mark, and of the rest only what it is given", async () => {
  const answer = await askProgram(place, ["env"], 10_000);
  const names = answer?.stdout.split("\n").map((line) => line.split("=")[0]);
  expect(answer?.stdout).toContain(`${DRIVEN}=${NO_RUN}`);
  expect(names).not.toContain("HOME");
});

it("a mark that it has already stays", async () => {
  const env = { ...place.env, [DRIVEN]: "run-1" };
  const answer = await askProgram({ ...place, env }, ["env"], 10_000);
  expect(answer?.stdout).toContain(`${DRIVEN}=run-1`);
});

it("is ended when its time is up", async () => {
  expect(await askProgram(place, ["sleep", "60"], 100)).toBeUndefined();
});

it("is ended by its signal, even if that came before it", async () => {
  const signal = AbortSignal.abort();
  const { ended } = startProgram({ ...place, command: "sleep 60", signal });
  expect(await ended).toMatchObject({ code: null, signal: "SIGKILL" });
});

it("says why it never ran", async () => {
  const { ended } = startProgram({ ...place, command: ["no-such-program"] });
  expect(await ended).toMatchObject({ error: "no-such-program is not on the PATH" });
});

it("reads its input, and is heard line by line", async () => {
  const lines: string[] = [];
  const onLine = (line: string) => lines.push(line);
  const { ended } = startProgram({ ...place, command: "cat; echo no >&2", input: "a\nb", onLine });
  expect(await ended).toMatchObject({ code: 0, stderr: "no" });
  expect(lines).toEqual(["a", "b"]);
});

it("a short program is waited for", () => {
  const options = { cwd: tmpdir(), limitMs: 10_000 };
  expect(runToEnd(["/bin/sh", "-c", "echo out; echo err >&2; exit 3"], options)).toMatchObject({
    ok: false,
    code: 3,
    out: "out\n",
    err: "err\n",
  });
  expect(runToEnd(["/no/such/program"], options)).toMatchObject({
    ok: false,
    error: { code: "ENOENT" },
  });
});
