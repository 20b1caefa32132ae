import * as fc from "fast-check";
import { documents } from "../corpus/documents.ts";
import { spoiled, text, word } from "./texts.ts";

/** JSON of any kind, as text: what `JSON.stringify` would never write is what a hand or a program may. */
const token: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ..."null true false 0 -0 1 2 5 -1 0.5 1e999 -1e999 1e308 9007199254740991 9007199254740993".split(
        " ",
      ),
      '""',
      "[]",
      "{}",
      '{"__proto__":{"phase":"execution"}}',
      '{"toString":1,"valueOf":1}',
      '{"1.1":{"attempts":1e999,"fixTaskIds":[1,null,"1.1.1"]}}',
      '{"constructor":5,"1.1":2,"__proto__":3}',
      "[null,{},[],1]",
    ),
  },
  { weight: 3, arbitrary: text.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)) },
);

const deep = fc
  .tuple(fc.constantFrom(10, 1000, 100_000), fc.boolean())
  .map(([depth, isList]) =>
    isList
      ? "[".repeat(depth) + "]".repeat(depth)
      : '{"a":'.repeat(depth) + "1" + "}".repeat(depth),
  );

type Fields = Readonly<Record<string, string>>;

/** An object of known fields, as text; some of them wrong, missing or doubled, and some that nobody knows. */
const objectOf = (fields: Fields, unknown = true): fc.Arbitrary<string> => {
  const names = Object.keys(fields);
  const wrong = fc.tuple(
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...names) },
      { weight: 1, arbitrary: unknown ? word : fc.constantFrom(...names) },
    ),
    fc.oneof({ weight: 200, arbitrary: token }, { weight: 1, arbitrary: deep }),
  );
  return fc
    .tuple(
      fc.subarray(names, { minLength: 0, maxLength: 3 }),
      fc.array(wrong, { maxLength: 3 }),
      fc.boolean(),
    )
    .map(([left, others, isWhole]) => {
      const kept = names.filter((name) => isWhole || !left.includes(name));
      const all = [...kept.map((name) => [name, fields[name] as string] as const), ...others];
      return `{${all.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
    });
};

const STATE = {
  source: '"spec"',
  name: '"demo"',
  basePath: '"./specs/demo"',
  phase: '"execution"',
  taskIndex: "0",
  totalTasks: "3",
  taskIteration: "1",
  maxTaskIterations: "5",
  globalIteration: "1",
  maxGlobalIterations: "100",
  sessionId: '"s"',
  runToken: '"t"',
  awaitingApproval: "false",
  approvalReason: '"why"',
  paused: "false",
  quickMode: "false",
  recoveryMode: "true",
  fixTaskMap: "{}",
  modificationMap: "{}",
  parallelGroup: "null",
};
const shortState = fc.constantFrom(
  '{"phase":"execution"}',
  '{"phase":"execution","sessionId":"s"}',
  '{"phase":"research","quickMode":true}',
  '{"phase":"execution","awaitingApproval":true,"approvalReason":"\\u001b[31m\\u202ered"}',
  '{"phase":"execution","maxGlobalIterations":1}',
  '{"phase":"execution","taskIteration":9}',
);
export const state = spoiled(
  fc.oneof(
    { weight: 4, arbitrary: objectOf(STATE) },
    { weight: 3, arbitrary: shortState },
    { weight: 1, arbitrary: token },
  ),
);

const LOOP = {
  run: '"r"',
  began: '"2026-01-01T00:00:00.000Z"',
  session: '"s"',
  iteration: "2",
  maxIterations: "100",
  maxAttempts: "5",
  continued: "1",
  stalled: "0",
  mark: '""',
  furthest: "0",
  total: "3",
  ticked: "0",
  head: '""',
  task: '"1.1"',
  attempts: "{}",
  lastError: "null",
  told: "null",
  open: "true",
};
const EVIDENCE = {
  command: '"npm test"',
  outcome: '"passed"',
  exitCode: "0",
  milliseconds: "10",
  commit: '"abc"',
  tail: '"ok"',
};
const event = fc.constantFrom(
  ..."start continue done failed refused fix-added corrupt stalled finished service-error".split(
    " ",
  ),
);
const entry = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: objectOf(LOOP) }),
    event,
    fc.option(objectOf(EVIDENCE), { freq: 3 }),
    objectOf({ at: '"2026-01-01T00:00:01.000Z"', task: '"1.1"', note: '"n"' }),
  )
  .map(([loop, name, proof, rest]) => {
    const whole = Object.entries(LOOP).map(([key, value]) => `${JSON.stringify(key)}:${value}`);
    const evidence = proof === null ? "" : `,"evidence":[${proof}]`;
    return `{"event":"${name}"${evidence},"loop":${loop ?? `{${whole.join(",")}}`},${rest.slice(1)}`;
  });
const line = fc.oneof(
  { weight: 6, arbitrary: entry },
  { weight: 2, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom("", "{", "null", "{}", "\0\0\0", "x".repeat(70_000)) },
);
export const journal = spoiled(
  fc
    .tuple(fc.array(line, { maxLength: 5 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
    .map(([lines, end, isWhole]) => lines.map((one) => one + end).join("") + (isWhole ? "" : "{")),
);

const taskLine = fc
  .tuple(
    fc.constantFrom("- [ ] ", "- [x] ", "* [ ] ", "  - [ ] ", "1. [ ] ", "- [-] "),
    fc.constantFrom("1.1 ", "1.2 ", "1.1.1 ", "T001 ", "T002 ", "V1 ", "", "**1.3** ", "1.10 "),
    fc.array(
      fc.constantFrom("[P] ", "[VERIFY] ", "[FIX 1.1] ", "[PART 1.2] ", "[RISKY] ", "[FIX T001] "),
      { maxLength: 2 },
    ),
    text,
  )
  .map(([bullet, id, tags, title]) => bullet + id + tags.join("") + title);
const field = fc
  .tuple(
    fc.constantFrom(
      "  - **Do**: ",
      "  - **Files**: `a.ts`, ",
      "  - **Done when**: ",
      "  - **Commit**: `feat(x): ",
      "  _Requirements: ",
      "  > Unblocks: ",
      "  - depends on 1.1, ",
      "  after T001 to T002 ",
      "## Phase ",
      "",
    ),
    text,
  )
  .map((parts) => parts.join(""));
const list = fc
  .array(fc.oneof({ weight: 2, arbitrary: taskLine }, { weight: 2, arbitrary: field }), {
    maxLength: 12,
  })
  .map((lines) => `${lines.join("\n")}\n`);
const long = fc
  .tuple(
    fc.constantFrom("1.", "1", "T0", "[P]", " ", "- ", "#", "`"),
    fc.integer({ min: 1, max: 100_000 }),
  )
  .map(([unit, times]) => `- [ ] ${unit.repeat(Math.ceil(times / unit.length))}1 x\n- [ ] 1.2 b\n`);
export const tasks = spoiled(
  fc.oneof(
    { weight: 5, arbitrary: list },
    { weight: 3, arbitrary: documents },
    { weight: 3, arbitrary: fc.constantFrom("- [ ] 1.1 a\n- [ ] 1.2 b\n", "- [x] 1.1 a\n", "") },
    { weight: 1, arbitrary: text },
    { weight: 1, arbitrary: fc.noShrink(long) },
  ),
);

const setting = fc
  .tuple(
    fc.constantFrom(
      ..."enabled specs_dirs stall_limit evidence verify_timeout verify_allow files weight_risky".split(
        " ",
      ),
      "__proto__",
      "constructor",
    ),
    fc.constantFrom(": ", ":", " : ", ":\n  - ", ": [", ": ["),
    fc.oneof(
      fc.constantFrom(
        "true",
        '"false"',
        "specs",
        "[specs, docs]",
        "specs]",
        "..",
        "1e9",
        "-1",
        "&a *a",
      ),
      fc.constantFrom(
        "!!js/function x",
        "|",
        ">",
        "{a: b}",
        "'it''s'",
        '"\\x41"',
        "# x",
        "../outside/specs]",
      ),
      text,
    ),
  )
  .map((parts) => parts.join(""));
export const settings = spoiled(
  fc
    .tuple(
      fc.constantFrom("---\n", "---\r\n", "\ufeff---\n", ""),
      fc.array(setting, { maxLength: 5 }),
    )
    .map(([head, lines]) => `${head}${lines.join("\n")}\n---\nNotes.\n`),
);

const record = fc.oneof(
  {
    weight: 4,
    arbitrary: objectOf(
      {
        type: '"assistant"',
        timestamp: '"2026-06-01T00:00:00.000Z"',
        isSidechain: "false",
        message: '{"content":[{"type":"text","text":"ALL_TASKS_COMPLETE"}]}',
      },
      false,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '{"type":"user","message":{"content":"ALL_TASKS_COMPLETE"}}',
      '{"type":"assistant","message":null}',
      '{"type":"assistant","message":{"content":[null,5,{"type":"text"},{"type":"text","text":{"toString":1}}]}}',
      '{"type":"assistant","isApiErrorMessage":true,"message":{"content":"\\u001b[31m529"}}',
      '{"type":"assistant","timestamp":{"toString":null,"valueOf":null}}',
      '{"type":"tool_result","content":"{\\"type\\":\\"assistant\\"}"}',
      "[]",
    ),
  },
  { weight: 1, arbitrary: text },
);
export const transcript = spoiled(
  fc.array(record, { maxLength: 6 }).map((lines) => lines.map((one) => `${one}\n`).join("")),
);

/** What a client sends: every field with any kind of value. */
export const inputOf = (fields: Fields): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 100, arbitrary: objectOf(fields) },
    { weight: 5, arbitrary: token },
    { weight: 5, arbitrary: text },
    { weight: 1, arbitrary: fc.noShrink(deep) },
  );
