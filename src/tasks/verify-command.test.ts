import { describe, expect, it } from "vitest";
import { parseCommands, isCommand } from "./verify-command.ts";

describe("isCommand", () => {
  it.each([
    "`npm test`",
    "npm test",
    "Run npm test",
    "Run: `mytool check`",
    "`mytool`",
    "`pnpm test` must pass with 80%+ coverage",
    "`cd apps/web && bun run type-check` returns exit 0.",
    "`make migrate-up`, integration suite green.",
    "`go test ./...` in `worker`",
    "`swift test --filter ShipTests` → 1 test passing",
    "All of it: `python -m app.main` starts",
    "`pytest` passes",
    "`grep -q works README.md`",
    "grep -q works README.md",
    "! grep -rn TODO src",
    "./scripts/check.sh",
    "scripts/check.sh --all",
    "bin/smart-ralph demo",
    "NODE_ENV=test node --test",
    "CI=1 mytool check",
    "mytool verify --strict",
    "make",
    "make test",
    "make clean",
    "make -j4 all",
    "go vet ./...",
    "node --test test/a.test.mjs",
    "node scripts/check.mjs",
    "test -f dist/hook.cjs",
    "[ -f dist/hook.cjs ]",
    "cat out.json | jq .ok",
    "for f in *.ts; do node $f; done",
    "if test -f a; then echo yes; fi",
    "$ npm run build",
    "- npm run build",
    "curl -s localhost:3000/health | grep -q ok",
    "git diff --exit-code",
    "bash -c 'test the thing that is here'",
    "npm run lint && npm test",
    "```bash\nnpm ci\nnpm test\n```",
    "```\n$ npm test\n```",
    "First lint.\nnpm run lint",
    "npx tsc --noEmit.",
    "npm test -- --grep `cat name`",
  ])("%s", (text) => {
    expect(isCommand(text)).toBe(true);
  });

  it.each([
    "",
    "Check that it works",
    "check that it works",
    "manual",
    "Manual",
    "manually",
    "`manual`",
    "N/A",
    "n/a",
    "None",
    "-",
    "TBD",
    "Manual testing in the browser",
    "make sure it works",
    "Make sure that `npm` is used",
    "go to the page and log in",
    "test that login works",
    "test the login",
    "node starts without errors",
    "find the button",
    "open the browser",
    "cat is displayed",
    "sort order is right",
    "time to first byte is low",
    "type checks pass",
    "npm test passes",
    "npm test passes and the log is clean",
    "Run the test suite",
    "run all tests",
    "All tests pass.",
    "`user.name` is shown",
    "Check that `foo` works",
    "`GET /health` returns 200",
    "GET /health returns 200",
    "`PlaybackContext` detects the change",
    "`test_models.py` passes",
    "Confirm delivery with OTP",
    "src/foo.ts exists",
    "`src/foo.ts`  has no errors",
    "login/logout works",
    "Visit http://localhost:3000",
    "/login shows the form",
    "The page loads - see the design",
    "user sees an error e.g. when offline",
    "```json\n{}\n```",
    "npm run lint and check the output",
  ])("not: %s", (text) => {
    expect(isCommand(text)).toBe(false);
  });
});

it("gives the commands in order, without prompts and marks", () => {
  expect(parseCommands("`npm run lint` and `npm test`")).toEqual(["npm run lint", "npm test"]);
  expect(parseCommands("```sh\n$ npm ci\n$ npm test\n```")).toEqual(["npm ci\nnpm test"]);
  expect(parseCommands("Run npm test.")).toEqual(["npm test"]);
  expect(parseCommands("``echo `date` ``")).toEqual(["echo `date`"]);
  expect(parseCommands("`pnpm test` and `user.name` is shown")).toEqual(["pnpm test"]);
});

it("takes a fence on one line for a span, and an empty one for nothing", () => {
  expect(parseCommands("```npm test```")).toEqual(["npm test"]);
  expect(parseCommands("```sh\n```\n`npm test`")).toEqual(["npm test"]);
});

it("comes to an end, whatever is in backticks", () => {
  for (const text of ["`", "` ", "`a``b", "```\n", "`".repeat(100_000) + "a", "npm `a` "]) {
    expect(parseCommands(text.repeat(Math.ceil(300_000 / text.length)))).toBeInstanceOf(Array);
  }
});
