import { afterEach, expect, it, vi } from "vitest";
import { specum } from "../../test/support/editions.ts";
import { makeGround } from "../../test/support/trees.ts";
import { localRunner } from "../exec/local-runner.ts";
import { delegate } from "./delegate.ts";
import { readNow } from "./now.ts";
import { prepareRun } from "./prepare-run.ts";
import type { Request } from "./request.ts";
import { startRun } from "./start-run.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

it("an agent of a run is told where things are from the project's root, in whichever tree", async () => {
  const rules = "# Constitution\n\n### I. Small files\n\nAt most 250 lines.\n";
  const { home, repository } = makeGround({ ".specify/memory/constitution.md": rules });
  const { root } = repository;
  const request: Request = {
    caller: { session: "s1", authority: "user" },
    layout: specum,
    editions: [specum],
    cwd: root,
    starts: [root],
    env: process.env,
    now: readNow,
    verifier: localRunner,
    signal: () => new AbortController().signal,
    program: "ralph-specum",
  };
  startRun(request, home, "start", {});
  await prepareRun(request, home);
  const send = (callId: string, isDriven: boolean): string => {
    const about = { sessionId: "s1", cwd: root, callId, description: "", isNested: false };
    const call = { ...about, agentType: "ralph-specum:spec-executor", prompt: "1.1" };
    const sent = delegate(home, call, readNow(), isDriven);
    return sent.kind === "sent" ? sent.orders : sent.kind;
  };
  const orders = send("call-1", true);
  expect(orders).toContain("Folder: ./specs/demo.\n");
  expect(orders).toContain("./.specify/memory/constitution.md");
  expect(orders).not.toContain(root);
});
