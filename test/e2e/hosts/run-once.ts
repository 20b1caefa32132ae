import { spawn } from "node:child_process";

interface Once {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Some clients end with 0 even if they did nothing. */
  readonly expect: RegExp;
}

const TIMEOUT_MS = 60_000;

/** A command of a client, as a user gives it in a shell. */
export function runOnce(
  program: string,
  args: readonly string[],
  { cwd, env, input = "", expect }: Once,
): Promise<void> {
  const child = spawn(program, args, { cwd, env: { ...env }, timeout: TIMEOUT_MS });
  let output = "";
  const hear = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0 && expect.test(output)) resolve();
      else reject(new Error(`${args.join(" ")} ended with ${code}:\n${output}`));
    });
  });
}
