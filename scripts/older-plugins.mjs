// Runs the older plugins' own tests of their stop hook against ours: node scripts/older-plugins.mjs <checkout>. Needs
// bats and jq. In a copy of the checkout the hook is replaced by this file, which first does what a user of theirs does
// here: once a state lies there, they type `resume`. What the test wrote then counts as written during the run. A state
// in execution without a tasks.md, which no user has, gets a list of as many tasks as it counts.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

const SUITES = ["stop-hook", "speckit-stop-hook", "state-management", "integration"];
const SESSION = "test-session";

/** Where each plugin has what a test writes. */
const LAYOUTS = {
  "ralph-specum": {
    pointer: "specs/.current-spec",
    specs: "specs",
    state: ".ralph-state.json",
  },
  "ralph-speckit": {
    pointer: ".specify/.current-feature",
    specs: ".specify/specs",
    state: ".speckit-state.json",
  },
};

const [first = "", plugin = "", homes = ""] = process.argv.slice(2);
function runAll(checkout) {
  if (!existsSync(join(checkout, "tests", "stop-hook.bats")))
    throw new Error("usage: node scripts/older-plugins.mjs <checkout of the older plugins>");
  const folder = mkdtempSync(join(tmpdir(), "older-plugins-"));
  try {
    cpSync(checkout, folder, { recursive: true });
    for (const name of Object.keys(LAYOUTS)) {
      const words = [process.execPath, import.meta.filename, "--hook", name, join(folder, "homes")];
      const line = words.map((word) => `'${word}'`).join(" ");
      writeFileSync(
        join(folder, "plugins", name, "hooks/scripts/stop-watcher.sh"),
        `exec ${line}\n`,
      );
    }
    const { CLAUDECODE: _, ...env } = process.env;
    for (const marks of [{}, { CLAUDECODE: "1" }]) runSuites(folder, { ...env, ...marks });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runSuites(folder, env) {
  const files = SUITES.map((name) => join("tests", `${name}.bats`));
  const { stdout } = spawnSync("bats", ["--tap", ...files], { cwd: folder, env, encoding: "utf8" });
  const lines = stdout.split("\n");
  const passed = lines.filter((line) => line.startsWith("ok ")).length;
  const failed = lines.filter((line) => line.startsWith("not ok "));
  const where = env.CLAUDECODE === undefined ? "without a client's mark" : "with CLAUDECODE=1";
  console.log(`${passed} of ${passed + failed.length} pass, ${where}`);
  console.log(failed.map((line) => `  ${line}\n`).join(""));
}

function answerAsHook() {
  const input = readFileSync(0, "utf8");
  const root = process.env.TEST_WORKSPACE ?? process.cwd();
  const home = join(homes, basename(root));
  mkdirSync(home, { recursive: true });
  takeUp(root, home);
  const { stdout, stderr, status } = runHook("hooks.json", "Stop", input, root, home);
  // In this order: bats joins them, and the answer does not end with a new line.
  process.stderr.write(stderr);
  process.stdout.write(stdout);
  process.exitCode = status ?? 1;
}

/** The very command line that the client runs. */
function runHook(file, event, input, cwd, home) {
  const own = join(import.meta.dirname, "..", "plugins", plugin);
  const { hooks } = JSON.parse(readFileSync(join(own, "hooks", file), "utf8"));
  return spawnSync("/bin/sh", ["-c", hooks[event][0].hooks[0].command], {
    cwd,
    input,
    env: envOf(home, own),
    encoding: "utf8",
  });
}

const envOf = (home, own) => ({
  ...process.env,
  HOME: home,
  PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
  CLAUDE_PLUGIN_ROOT: own,
});

/** The user types `resume` for the state that lies there, once for each spec. */
function takeUp(root, home) {
  const { pointer, specs, state } = LAYOUTS[plugin];
  const name = readIfThere(join(root, pointer)).trim();
  const folder = name.includes("/") ? join(root, name) : join(root, specs, name);
  const path = join(folder, state);
  const mark = join(home, `taken-up-${basename(folder)}`);
  if (name === "" || !existsSync(path) || existsSync(mark)) return;
  writeFileSync(mark, "");
  const written = readFileSync(path, "utf8");
  const fields = parse(written);
  const tasks = join(folder, "tasks.md");
  const isExecution = fields === undefined || fields.phase === "execution";
  if (isExecution && !existsSync(tasks)) writeFileSync(tasks, listFor(fields ?? {}));
  const line = `/${plugin}:resume`;
  const event = { session_id: SESSION, cwd: root, prompt: line };
  runHook("expansion.json", "UserPromptExpansion", JSON.stringify(event), root, home);
  const own = join(import.meta.dirname, "..", "plugins", plugin);
  const env = { ...envOf(home, own), CLAUDE_CODE_SESSION_ID: SESSION };
  spawnSync(join(own, "bin", plugin), ["resume", "--typed", SESSION], { cwd: root, env });
  if (!existsSync(path)) return;
  const ours = parse(readFileSync(path, "utf8"));
  writeFileSync(path, fields === undefined ? written : JSON.stringify({ ...ours, ...fields }));
}

const listFor = ({ taskIndex = 0, totalTasks = 5 }) =>
  Array.from(
    { length: Math.max(totalTasks, 1) },
    (_, i) => `- [${i < taskIndex ? "x" : " "}] 1.${i + 1} Task number ${i + 1}\n`,
  ).join("");

const readIfThere = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "");

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

if (first === "--hook") answerAsHook();
else runAll(first);
