import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { RunEvent, RunNews } from "./events.ts";
import { makeNotifier, type NotifySettings, notificationOf } from "./notify.ts";

const AT = "2026-11-16T01:00:00.000Z";
const at = (news: RunNews): RunEvent => ({ run: "r1", seq: 1, at: AT, ...news }) as RunEvent;

const question = at({
  kind: "question",
  spec: "demo",
  task: "1.2",
  id: 3,
  text: "Which\n$(touch owned)\u001b[2J?",
  options: ["a", "b"],
});
const ended = (
  status: Extract<RunEvent, { kind: "run-ended" }>["status"],
  text = "over",
): RunEvent => at({ kind: "run-ended", status, done: 2, total: 3, text });

describe("what users are notified of", () => {
  it.each<[what: string, event: RunEvent, expected: object | undefined]>([
    [
      "a question",
      question,
      {
        event: "question",
        text: "Question 3, demo 1.2: Which $(touch owned)[2J? (a / b)",
        spec: "demo",
      },
    ],
    [
      "a limit",
      at({ kind: "limit", agent: "claude", until: AT, text: "resets at 1" }),
      { event: "limit", text: `claude has reached its usage limit until ${AT}: resets at 1` },
    ],
    ["a budget", at({ kind: "budget", text: "$5 are spent" }), { event: "budget", spec: null }],
    ["the end", ended("finished"), { event: "finished", text: "over (2 of 3 tasks done)" }],
    [
      "an end without a word",
      ended("waits", " \n"),
      { event: "question", text: "The run waits for you (2 of 3 tasks done)" },
    ],
    ["being stuck", ended("stuck"), { event: "stuck" }],
    ["no agent that can work", ended("unavailable"), { event: "stuck" }],
    ["an end that waits for answers", ended("waits"), { event: "question" }],
    ["not a budget twice", ended("budget"), undefined],
    ["not what they did themselves", ended("stopped"), undefined],
    ["not every step", at({ kind: "note", text: "x" }), undefined],
  ])("%s", (_, event, expected) => {
    if (expected === undefined) expect(notificationOf(event)).toBeUndefined();
    else expect(notificationOf(event)).toMatchObject(expected);
  });
});

describe("channels", () => {
  const cleanups: (() => void)[] = [];
  afterEach(() => {
    for (const clean of cleanups.splice(0)) clean();
  });
  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), "notify-"));
    cleanups.push(() => rmSync(made, { recursive: true, force: true }));
    return made;
  };
  const tell = async (
    settings: Partial<NotifySettings>,
    ...events: RunEvent[]
  ): Promise<string[]> => {
    const notes: string[] = [];
    const env = { PATH: process.env["PATH"] ?? "", SMART_RALPH_DRIVEN: "run-0" };
    const options = { env, timeoutMs: 2000 };
    const { tell: notify, drained } = makeNotifier(
      { command: undefined, url: undefined, ...settings },
      (line) => notes.push(line),
      options,
    );
    for (const event of events) notify(event);
    await drained();
    return notes;
  };
  interface Got {
    readonly path: string;
    readonly body: string;
  }
  const serve = async (
    answer: (path: string) => { status: number; location?: string } | undefined,
  ): Promise<{ url: string; got: Got[] }> => {
    const got: Got[] = [];
    const server: Server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const path = request.url ?? "";
        got.push({ path, body });
        const reply = answer(path);
        if (reply === undefined) return;
        response.writeHead(
          reply.status,
          reply.location === undefined ? {} : { location: reply.location },
        );
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    cleanups.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
  };

  it.runIf(process.platform !== "win32")(
    "a command gets the text in its environment and on its input, never on its command line",
    async () => {
      const out = join(folder(), "out");
      const command = `{ echo "$SMART_RALPH_EVENT|$SMART_RALPH_TEXT|$SMART_RALPH_SPEC|$SMART_RALPH_DRIVEN"; cat; } > '${out}'`;
      expect(await tell({ command }, question)).toEqual([]);
      const [line, json = ""] = readFileSync(out, "utf8").split("\n");
      expect(line).toBe(
        "question|Question 3, demo 1.2: Which $(touch owned)[2J? (a / b)|demo|run-r1",
      );
      expect(JSON.parse(json)).toMatchObject({ event: "question", run: "r1", at: AT });
    },
  );

  it.runIf(process.platform !== "win32")(
    "a channel that fails or takes too long is noted once, and the others still work",
    async () => {
      const { url, got } = await serve(() => ({ status: 204 }));
      const notes = await tell({ command: "exit 3", url }, question, ended("finished"));
      expect(notes).toEqual(["the notify command did not work: exit code 3"]);
      expect(got.map(({ body }) => (JSON.parse(body) as { event: string }).event)).toEqual([
        "question",
        "finished",
      ]);
      const [slow] = await tell({ command: "sleep 60" }, question);
      expect(slow).toContain("took longer than 2 seconds");
    },
  );

  it("a redirect is followed on the same host only, and only a few times", async () => {
    const other = await serve(() => ({ status: 204 }));
    const { url, got } = await serve((path) =>
      path === "/same"
        ? { status: 307, location: "/end" }
        : path === "/away"
          ? { status: 307, location: `${other.url}/stolen` }
          : path === "/circle"
            ? { status: 307, location: "/circle" }
            : { status: path === "/end" ? 200 : 500 },
    );
    expect(await tell({ url: `${url}/same` }, question)).toEqual([]);
    expect(got.map(({ path }) => path)).toEqual(["/same", "/end"]);
    expect(await tell({ url: `${url}/away` }, question)).toEqual([
      "notify_url did not work: it redirects to another host",
    ]);
    expect(other.got).toEqual([]);
    expect((await tell({ url: `${url}/circle` }, question))[0]).toContain("redirects too often");
    expect(await tell({ url: `${url}/wrong` }, question, question)).toEqual([
      "notify_url did not work: the server answered 500",
    ]);
  });

  it("gives up on a server that never answers, and on an address that is not http or https", async () => {
    const { url } = await serve(() => undefined);
    expect(await tell({ url }, question)).toHaveLength(1);
    for (const bad of ["file:///etc/passwd", "nonsense", "ftp://127.0.0.1/"])
      expect((await tell({ url: bad }, question))[0]).toContain("not an http or https address");
  });
});
