/** The small project in the pictures. */
export const SERVER = `import { createServer } from "node:http";

export const server = () =>
  createServer((request, response) => {
    // Callers are told apart by their key.
    const key = request.headers["x-api-key"] ?? "";
    response.end(JSON.stringify({ orders: [], key }));
  });
`;

export const SERVER_TEST = `import assert from "node:assert";
import { test } from "node:test";
import { server } from "./server.mjs";

test("lists the orders", async () => {
  const own = server().listen(0);
  const answer = await fetch(\`http://127.0.0.1:\${own.address().port}\`);
  own.close();
  assert.equal(answer.status, 200);
});
`;

const LIMIT_TEST = `import assert from "node:assert";
import { test } from "node:test";
import { allow } from "./limit.mjs";

test("ten pass, the eleventh waits", () => {
  for (let i = 0; i < 10; i++) assert.equal(allow("a", i), 0);
  assert.equal(allow("a", 10), 990);
});

test("another key does not wait", () => {
  assert.equal(allow("b", 10), 0);
});
`;

/** One count for all keys: what looks done and is not. */
const LIMIT_WRONG = `const seen = [];

export function allow(key, now) {
  while (seen[0] <= now - 1000) seen.shift();
  if (seen.length >= 10) return seen[0] + 1000 - now;
  seen.push(now);
  return 0;
}
`;

const LIMIT = `const seen = new Map();

export function allow(key, now) {
  const times = (seen.get(key) ?? []).filter((time) => time > now - 1000);
  seen.set(key, times);
  if (times.length >= 10) return times[0] + 1000 - now;
  times.push(now);
  return 0;
}
`;

const LIMITED_SERVER = SERVER.replace(
  `import { createServer } from "node:http";\n`,
  `import { createServer } from "node:http";\nimport { allow } from "./limit.mjs";\n`,
).replace(
  `    response.end(`,
  `    const wait = allow(key, Date.now());
    if (wait > 0) return response.writeHead(429, { "retry-after": Math.ceil(wait / 1000) }).end();
    response.end(`,
);

const RETRY_TEST = SERVER_TEST.replace("lists the orders", "says when to come back").replace(
  "  own.close();\n  assert.equal(answer.status, 200);",
  `  assert.equal(answer.status, 200);
  const all = await Promise.all(Array.from({ length: 10 }, () => fetch(answer.url)));
  own.close();
  assert.equal(all.find(({ status }) => status === 429)?.headers.get("retry-after"), "1");`,
);

interface Work {
  readonly file: string;
  readonly text: string;
  readonly commit: string;
}

/** What the executor of each task writes, try by try. */
const WORK: Readonly<Record<string, readonly (readonly Work[])[]>> = {
  "1.1": [
    [
      {
        file: "limit.test.mjs",
        text: LIMIT_TEST,
        commit: "test(api): the eleventh request is refused",
      },
    ],
  ],
  "1.2": [
    [
      {
        file: "limit.mjs",
        text: LIMIT_WRONG,
        commit: "feat(api): ten requests a second for each key",
      },
    ],
    [{ file: "limit.mjs", text: LIMIT, commit: "fix(api): count each key by itself" }],
  ],
  "1.3": [
    [
      { file: "server.mjs", text: LIMITED_SERVER, commit: "feat(api): 429 with Retry-After" },
      { file: "retry.test.mjs", text: RETRY_TEST, commit: "test(api): Retry-After" },
    ],
  ],
};

export const workFor = (id: string, attempt: number): readonly Work[] =>
  WORK[id]?.[attempt - 1] ?? [];

export const commitLine = ({ file, commit }: Work): string =>
  `git add ${file} && git commit -qm '${commit}'`;
