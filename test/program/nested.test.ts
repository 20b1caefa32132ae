import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hosts } from "../../src/hosts/all.ts";
import { CLIENTS, type Variables } from "../support/client-marks.ts";
import { layouts } from "../support/editions.ts";
import { makePlace, type Place, SESSION } from "./support.ts";

const [layout] = layouts;
const LINE = `/${layout.plugin}:implement demo --max-global-iterations 999`;

/** The user's line as the client reports it, and the command file, where the client runs that itself. */
function type(place: Place, host: string, env: Variables, more: object = {}): void {
  const fields = { prompt: LINE, submitted_prompt: LINE, session: SESSION, ...more };
  place.hook(host === "claude" ? "expansion" : "prompt", fields, { host, env });
  if (host === "claude") place.run(["implement", "--typed", SESSION], { env });
}

const tickets = (place: Place): string[] => {
  const folder = join(String(place.env["HOME"]), ".local", "state", "smart-ralph", "tickets");
  return existsSync(folder) ? readdirSync(folder) : [];
};

const names = hosts.map(({ name }) => name);
const of = (name: string): { hook: Variables; shell: Variables } =>
  CLIENTS[name as keyof typeof CLIENTS];

it.each(names)("what the user types in %s is theirs", (name) => {
  const place = makePlace(layout);
  type(place, name, of(name).hook);
  expect(place.state()).toMatchObject({ phase: "execution", maxGlobalIterations: 999 });
});

describe.each(names)("an agent of %s", (outer) => {
  it.each(names)("is not the user of a %s that it starts", (inner) => {
    const place = makePlace(layout);
    type(place, inner, { ...of(outer).shell, ...of(inner).hook });
    expect(place.state()).toBeUndefined();
    expect(tickets(place)).toEqual([]);
  });
});

it("nor is it in an older Claude Code, which reports commands as prompts", () => {
  const { AI_AGENT: _, ...hook } = of("claude").hook;
  const nested = { ...of("claude").shell, ...hook, AI_AGENT: "" };
  const place = makePlace(layout);
  place.hook("prompt", { prompt: LINE }, { env: nested });
  expect(tickets(place)).toEqual([]);
  place.hook("prompt", { prompt: LINE }, { env: hook });
  expect(tickets(place)).toHaveLength(1);
});

describe("a command file of the repository's, in Gemini", () => {
  const begin = (prompt: string): Place =>
    makePlace(layout, { ".gemini/commands/team/review.toml": `prompt = ${prompt}\n` });
  const { hook } = of("gemini");

  it("does not speak for the user", () => {
    const place = begin(JSON.stringify(LINE));
    type(place, "gemini", hook);
    expect(place.state()).toBeUndefined();
  });

  it("is no obstacle if it cannot begin with a command of ours", () => {
    const place = begin(`"""\nReview !{git diff}, then ${LINE}"""`);
    type(place, "gemini", hook);
    expect(place.state()).toMatchObject({ phase: "execution" });
  });

  it.each([
    [LINE, true],
    ["/team:review", false],
  ])("is told from what was typed at a terminal: %s", (message, isTheirs) => {
    const place = begin(JSON.stringify(LINE));
    const folder = join(place.root, "..", "tmp");
    mkdirSync(join(folder, "chats"), { recursive: true });
    const entries = [
      { sessionId: "other", type: "user", message: isTheirs ? "hello" : LINE },
      { sessionId: SESSION, type: "user", message: isTheirs ? "/team:review" : LINE },
      { sessionId: SESSION, type: "user", message },
      { sessionId: "other", type: "user", message: isTheirs ? "hello" : LINE },
    ];
    writeFileSync(join(folder, "logs.json"), JSON.stringify(entries, undefined, 2));
    type(place, "gemini", hook, { transcript_path: join(folder, "chats", "session.jsonl") });
    expect(place.state() !== undefined).toBe(isTheirs);
  });
});
