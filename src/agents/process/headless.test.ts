import { describe, expect, it, onTestFinished } from "vitest";
import { type AgentEvent, NO_TOKENS, type Outcome, type Work } from "../port.ts";
import { type HeadlessDriver, runHeadless } from "./headless.ts";
import { listProcesses } from "./processes.ts";
import type { Launch } from "./supervise.ts";
import { ATTEMPT_MARK, pickMarked, sweepMark } from "./sweep.ts";

interface Heard {
  readonly lines: readonly string[];
  readonly isOver: boolean;
}

/** A shell script as an agent: it prints `over` when it is done. */
const driver = (launch: Omit<Launch, "onLine">): HeadlessDriver<Heard> => ({
  commandLine: () => launch,
  begin: () => ({ lines: [], isOver: false }),
  read: ({ lines }, line) => {
    if (line === "throw") throw new Error("cannot read this");
    return {
      state: { lines: [...lines, line], isOver: line === "over" },
      events: [{ kind: "text", text: line }],
    };
  },
  conclude: ({ lines }, { code, signal, stderr }) => ({
    ending:
      code === 0 || lines.includes("over")
        ? { kind: "turn" }
        : { kind: "crashed", text: `${code ?? signal} ${stderr}` },
    report: lines.at(-1) ?? "",
    usage: { tokens: NO_TOKENS },
  }),
  isOver: ({ isOver }) => isOver,
});

interface Ran {
  readonly outcome: Outcome;
  readonly events: readonly AgentEvent[];
  readonly record: readonly string[];
  readonly left: number;
}

/** Starts a command in its own session, if the system has a command for that. */
const apart = process.platform === "linux" ? "setsid " : "";

let attempts = 0;

async function run(
  launch: string | Omit<Launch, "onLine">,
  given: Partial<Work> = {},
  stop: AbortSignal = new AbortController().signal,
  onEvent: (event: AgentEvent) => void = () => undefined,
): Promise<Ran> {
  const mark = `test-${process.pid}/${++attempts}`;
  onTestFinished(async () => void (await sweepMark(ATTEMPT_MARK, mark)));
  const events: AgentEvent[] = [];
  const record: string[] = [];
  const work: Work = {
    cwd: "/",
    prompt: "",
    instructions: "",
    writable: [],
    limits: { wallMs: 60_000, silentMs: 60_000, graceMs: 2000 },
    record: (line) => record.push(line),
    ...given,
    env: { PATH: process.env["PATH"] ?? "", [ATTEMPT_MARK]: mark, ...given.env },
  };
  const command = typeof launch === "string" ? { command: ["sh", "-c", launch] } : launch;
  const on = (event: AgentEvent): void => {
    events.push(event);
    onEvent(event);
  };
  const outcome = await runHeadless(driver(command), work, on, stop);
  const left = pickMarked(listProcesses(`${ATTEMPT_MARK}=${mark}`), process.pid).length;
  return { outcome, events, record, left };
}

const limits = (own: Partial<Work["limits"]>): Partial<Work> => ({
  limits: { wallMs: 60_000, silentMs: 60_000, graceMs: 300, ...own },
});

const sweptIn = (events: readonly AgentEvent[]): number =>
  events.reduce((sum, event) => sum + (event.kind === "swept" ? event.count : 0), 0);

describe.skipIf(process.platform === "win32")("an agent in a process", () => {
  it("is read line by line, and ends", async () => {
    const { outcome, events, record } = await run("echo one; printf two");
    expect(outcome).toMatchObject({ ending: { kind: "turn" }, report: "two" });
    expect(record).toEqual(["one", "two"]);
    expect(events).toEqual([
      { kind: "text", text: "one" },
      { kind: "text", text: "two" },
    ]);
  });

  it("gets its prompt on standard input, and only the given environment", async () => {
    process.env["NOT_FOR_AGENTS"] = "secret";
    const long = "prompt ".repeat(100_000).trim();
    const { record } = await run(
      { command: ["sh", "-c", "wc -c; env"], input: long, env: { ADDED: "1" } },
      { env: { GIVEN: "2" } },
    );
    delete process.env["NOT_FOR_AGENTS"];
    expect(record[0]?.trim()).toBe(String(long.length));
    expect(record).toEqual(expect.arrayContaining(["ADDED=1", "GIVEN=2"]));
    expect(record.join("\n")).not.toContain("NOT_FOR_AGENTS");
  });

  it("may not read its prompt", async () => {
    const { outcome } = await run({ command: ["sh", "-c", "exit 0"], input: "x".repeat(1 << 20) });
    expect(outcome.ending.kind).toBe("turn");
  });

  it("is wrapped", async () => {
    const wrap = (command: readonly string[]): string[] => ["env", "WRAPPED=1", ...command];
    expect((await run("echo $WRAPPED", { wrap })).record).toEqual(["1"]);
  });

  it.each<[what: string, launch: Omit<Launch, "onLine">, cwd: string, why: RegExp]>([
    ["is not installed", { command: ["no-such-agent"] }, "/", /no-such-agent is not on the PATH/],
    ["has no folder", { command: ["sh", "-c", ":"] }, "/no/such/folder", /ENOENT/],
    [
      "has a line that is too long",
      { command: ["sh", "-c", ":", "x".repeat(4 << 20)] },
      "/",
      /E2BIG/,
    ],
    ["has an invalid command line", { command: ["sh", "a\0b"] }, "/", /null bytes/],
  ])("%s: crashed, with the reason", async (_, launch, cwd, why) => {
    const { outcome } = await run(launch, { cwd });
    expect(outcome.ending).toMatchObject({ kind: "crashed", text: expect.stringMatching(why) });
  });

  it("says on standard error why it failed, without terminal escapes", async () => {
    const { outcome } = await run("printf 'no \\033[31mlogin' >&2; exit 3");
    expect(outcome.ending).toEqual({ kind: "crashed", text: "3 no [31mlogin" });
  });

  it("is ended when it is silent, and nothing of it is left", async () => {
    const { outcome, left } = await run(`echo one; ${apart}sleep 100`, limits({ silentMs: 2000 }));
    expect(outcome).toMatchObject({ ending: { kind: "stopped", by: "silence" }, report: "one" });
    expect(left).toBe(0);
  });

  it("is not silent while it writes, to whichever output", async () => {
    const talk = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 0.3; echo x >&2; done; echo end";
    const { outcome } = await run(talk, limits({ silentMs: 3000 }));
    expect(outcome).toMatchObject({ ending: { kind: "turn" }, report: "end" });
  });

  it("is ended at its wall deadline however much it says", async () => {
    const { outcome, left } = await run(
      "while :; do echo x; sleep 0.05; done",
      limits({ wallMs: 500 }),
    );
    expect(outcome.ending).toEqual({ kind: "stopped", by: "wall" });
    expect(left).toBe(0);
  });

  it.each(["user", "budget"] as const)(
    "is stopped by the %s, whether or not it ignores SIGTERM",
    async (by) => {
      const stop = new AbortController();
      const deaf = `trap '' TERM; ${apart}sh -c 'echo ready; exec sleep 100' & while :; do sleep 1; done`;
      const { outcome, left, events } = await run(deaf, limits({}), stop.signal, () =>
        stop.abort(by),
      );
      expect(outcome.ending).toEqual({ kind: "stopped", by });
      expect(left).toBe(0);
      if (process.platform === "linux") expect(sweptIn(events)).toBeGreaterThan(0);
    },
  );

  it.each([
    ["budget", { kind: "turn" }],
    ["user", { kind: "stopped", by: "user" }],
  ] as const)("is stopped by the %s with its result: %j", async (by, ending) => {
    const stop = new AbortController();
    const { outcome } = await run("echo over; exec sleep 100", limits({}), stop.signal, () =>
      stop.abort(by),
    );
    expect(outcome.ending).toEqual(ending);
  });

  it("never begins to work if it was stopped before", async () => {
    const { outcome, left } = await run("sleep 100", limits({}), AbortSignal.abort("user"));
    expect(outcome.ending).toEqual({ kind: "stopped", by: "user" });
    expect(left).toBe(0);
  });

  it("is ended if it has reported its result but does not exit; the turn counts", async () => {
    const { outcome, left } = await run("echo over; exec sleep 100", limits({}));
    expect(outcome).toMatchObject({ ending: { kind: "turn" }, report: "over" });
    expect(left).toBe(0);
  });

  it("leaves a child that holds its output: the end is seen, the child swept", async () => {
    const { outcome, left, events } = await run(
      `f=$(mktemp); ${apart}sh -c "echo one; rm $f; exec sleep 100" & while [ -e $f ]; do sleep 0.05; done`,
    );
    expect(outcome).toMatchObject({ ending: { kind: "turn" }, report: "one" });
    expect(left).toBe(0);
    if (process.platform === "linux") expect(sweptIn(events)).toBe(1);
  });

  it("is ended if its output cannot be read, and the error is reported", async () => {
    const { outcome, left } = await run("echo throw; exec sleep 100", limits({}));
    expect(outcome.ending).toEqual({ kind: "crashed", text: "internal error: cannot read this" });
    expect(left).toBe(0);
  });
});
