import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { GREET, GREET_WORLD, TEST } from "../../agents/demo/greeter.ts";
import { runToEnd } from "../../exec/run-to-end.ts";
import { ALL_TASKS_COMPLETE, TASK_COMPLETE, VERIFICATION_PASS } from "../../run/signal.ts";
import { commitAll, LIMIT_MS } from "./project.ts";

/** What the scripted agent does in one turn, besides talking. */
export type Act =
  | { readonly kind: "work"; readonly id: string; readonly note: string }
  | { readonly kind: "done"; readonly id: string; readonly report: string }
  | { readonly kind: "fail"; readonly id: string; readonly reason: string };

export interface Turn {
  readonly acts: readonly Act[];
  readonly message: string;
}

/**
 * A built-in agent for the demo: it reads its prompt, does the work for real, and misbehaves three times, as agents do:
 * it claims that all is done, calls half-done work done, and fails.
 */
export class DemoAgent {
  private readonly seen = new Map<string, number>();
  private lied = false;
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  turn(prompt: string): Turn {
    const ids = [...prompt.matchAll(/^Task (\S+) →/gm)].map((match) => match[1] as string);
    if (ids.includes("1.3") && !this.lied) {
      this.lied = true;
      return { acts: [], message: `Everything works.\n\n${ALL_TASKS_COMPLETE}` };
    }
    const acts = ids.flatMap((id) => this.work(id));
    const message = ids.includes("2.3")
      ? `All six are done.\n\n**${ALL_TASKS_COMPLETE}**`
      : "Reported; on to the next task.";
    return { acts, message };
  }

  private work(id: string): Act[] {
    const attempt = (this.seen.get(id) ?? 0) + 1;
    this.seen.set(id, attempt);
    const complete = (note: string, says: string, signal = TASK_COMPLETE): Act[] => [
      { kind: "work", id, note },
      { kind: "done", id, report: `${says}\n\n${signal}` },
    ];
    switch (id) {
      case "1.1":
        this.write("greet.mjs", GREET);
        return complete("writes greet.mjs", "Done.");
      case "1.2":
        this.write("greet.test.mjs", TEST);
        return [
          ...complete("writes greet.test.mjs", "Written, but running it requires manual steps."),
          ...complete(this.check("--test", "greet.test.mjs"), "greet.test.mjs passes."),
        ];
      case "1.3":
        if (attempt === 1) {
          return [
            ...complete("changes nothing", "It greets the world now."),
            { kind: "fail", id, reason: "greet() still returns Hello, undefined!" },
          ];
        }
        this.write("greet.mjs", GREET_WORLD);
        return complete("gives name a default", "It greets the world now.");
      case "2.1":
        this.write("README.md", "# greeter\n\nSays hello.\n");
        return complete("writes README.md", "Done.");
      case "2.2":
        this.write("CHANGELOG.md", "# Changes\n\n- greets\n");
        return complete("writes CHANGELOG.md", "Done.");
      default:
        return complete(this.check("--test"), "All tests pass.", VERIFICATION_PASS);
    }
  }

  private write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
    commitAll(this.folder, `feat: ${name}`);
  }

  private check(...args: string[]): string {
    const options = { cwd: this.folder, limitMs: LIMIT_MS };
    const { code } = runToEnd([process.execPath, ...args], options);
    return `runs node ${args.join(" ")}: exit code ${code ?? "none"}`;
  }
}
