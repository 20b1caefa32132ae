import { expect, it } from "vitest";
import { readIntent } from "./classify-intent.ts";
import { isSmallGoal } from "./small-goal.ts";

/** Goals as people write them. */
const GOALS = `
small | Fix the crash when the config file is empty
small | /login answers 500 when the password has a colon
small | \`parse("--")\` throws a TypeError instead of returning an empty list
small | Please fix #482: timestamps are off by one hour in winter
small | The API returns 404 for existing users with uppercase emails. It should return 200.
small | fix a typo in the README
small | Rename the \`--color\` flag to \`--colour\`
small | Change the default port from 3000 to 8080
small | Bump lodash to 4.17.21
small | add an option --max-depth to \`scan\`; if the value is not a number, the error must name the flag
small | Add a \`--json\` flag to the list command
small | Accept \`-v\` as an alias for \`--verbose\`
small | Add a button that reports a bug
small | Option to disable colors in the output
small | Add a "status" column to the orders table and show it in the list
small | show a badge with the number of unread messages
large | Add rate limiting to the API
large | Count requests and refuse too many
large | Support OAuth login and SSO, and add an admin page to manage users
large | Add a --json flag to every command
large | Add an option to export, an option to import, and a settings page for both, and document it
large | add dark mode across the whole app
large | Build a new CLI from scratch
large | Create a todo app with React and SQLite
large | Refactor the parser
large | Migrate the tests from Jest to Vitest
large | Rewrite the scheduler in Rust
large | Fix the crash in the importer and the hang in the exporter and then release 2.0
large | Fix authentication
large | Implement pagination for the search results
large | When paused, no new task starts until the user resumes
large | prefixes and newsletters
large | Rename the product everywhere
large | Integrate Stripe for payments
large |
`;

const rows = GOALS.trim()
  .split("\n")
  .map((line) => line.split(/ \|(?: |$)/) as [size: string, goal: string]);

it.each(rows)("%s: %s", (size, goal) => {
  expect(isSmallGoal(goal, readIntent(goal, {})) ? "small" : "large").toBe(size);
});

it.each([
  ["a list", "Fix the crash:\n- in the parser\n- in the printer"],
  ["paragraphs", "Fix the crash.\n\nIt is in the parser."],
  ["many words", `Fix the crash ${"in the parser ".repeat(12)}`],
  ["many sentences", "Fix the crash. It is old. It is bad. It is in the parser."],
])("%s is not small", (_, goal) => {
  expect(isSmallGoal(goal, readIntent(goal, {}))).toBe(false);
});

it("what the user says it is counts", () => {
  const goal = "prefixes for newsletters";
  expect(isSmallGoal(goal, readIntent(goal, { intent: "trivial", intentBy: "user" }))).toBe(true);
});
