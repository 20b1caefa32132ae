import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ALL_TASKS_COMPLETE } from "../../src/run/signal.ts";
import { taskText } from "../../src/tasks/edit/tick.ts";
import { parseTasks } from "../../src/tasks/parse.ts";
import { makePlace, type Place, userFileOf } from "../program/support.ts";
import { readIfThere, type VAULT_FILES, vaultFile } from "../support/vault.ts";
import type { Move } from "./game.ts";
import type { Setting } from "./program.ts";
import { TOKEN, type Who, type World } from "./world.ts";

/** The same spec on a disk, with the built program in it: what the model says is held against this. */
export class Real {
  readonly place: Place;
  /** What the client sends the hook about a turn. */
  private readonly continuing = { a: false, b: false };

  constructor({ layout, settings }: Setting, { tasks, state }: World) {
    this.place = makePlace(layout, {
      [userFileOf(layout)]: `---\nstall_limit: ${settings.stallLimit}\nverify_before: false\n---\n`,
      [`${layout.specsDirs[0]}/demo/tasks.md`]: tasks ?? "",
      [`${layout.specsDirs[0]}/demo/${layout.stateFile}`]: state ?? "",
    });
  }

  path(name: string): string {
    return join(this.place.folder, name);
  }

  /** Does what a move is called. False for one that cannot be done here. */
  perform({ name }: Move, after: World): boolean {
    const [who = "a", ...words] = name.split(" ");
    const act = words.join(" ");
    const id = /\d[\d.]*/.exec(act)?.[0] ?? "";
    if (/^(stops|says that all is done) →/.test(act)) return this.stop(who as Who, act);
    if (act === `does ${id} and reports it`) return this.report(id, after);
    if (act === `reports ${id} without having done it`) return this.report(id, after);
    if (act === `reports ${id} and contradicts itself`) {
      return this.report(id, after, "\nrequires manual steps");
    }
    if (act === `reports that ${id} failed`) return this.run("fail", id, "--reason", "it broke");
    if (act === `splits ${id}`) {
      return this.run("split", id, "--into", "one half", "--into", "the other");
    }
    if (act === "repairs the state") return this.run("repair");
    if (act === "calls resume itself") return this.run("resume", "demo");
    if (act === "asks for an approval") return this.run("await-approval");
    if (act === "takes it as approved") return this.run("approve");
    if (name === 'the user says "go" to a') return this.go("a");
    if (name === "the user pauses the loop") return this.type("pause");
    if (name === "the user approves it") return this.type("approve");
    if (name === "the user cancels the run") return this.type("cancel");
    if (name === "the user types something to a") return true;
    return this.edit(act, after);
  }

  private stop(who: Who, act: string): boolean {
    const { decision } = this.place.stop({
      session_id: who,
      stop_hook_active: this.continuing[who],
      last_assistant_message: act.startsWith("says") ? ALL_TASKS_COMPLETE : "That was this turn.",
    });
    const isKept = decision === "block";
    this.continuing[who] = isKept && !act.includes("the client's cap");
    if (isKept !== act.includes("kept")) throw new Error(`the hook answers otherwise: ${act}`);
    return true;
  }

  private report(id: string, { worked }: World, more = ""): boolean {
    const isCheck = this.place.tasks().includes(`${id} [VERIFY]`);
    this.prove(id, worked.includes(id));
    return this.run(
      "done",
      id,
      "--report",
      `${isCheck ? "VERIFICATION_PASS" : "TASK_COMPLETE"}${more}`,
    );
  }

  /** A fix has the Verify of the task that it fixes, so that what is there is what this one task needs. */
  private prove(id: string, isWorked: boolean): void {
    const list = parseTasks(this.place.tasks());
    const task = list.tasks.find((one) => one.id === id);
    const text = task === undefined ? "" : taskText(list, task);
    const [name] = /worked-[\d.]+\d/.exec(text) ?? [];
    if (name === undefined) return;
    const path = join(this.place.root, name);
    if (isWorked) writeFileSync(path, "");
    else rmSync(path, { force: true });
  }

  /** As the agent of session a would call it. */
  private run(...args: string[]): boolean {
    this.place.run(args, { env: { CLAUDE_CODE_SESSION_ID: "a" } });
    return true;
  }

  /** As the user of session a types it. */
  private type(...args: string[]): boolean {
    this.place.slash(args, "a");
    return true;
  }

  go(who: Who, verb: "implement" | "resume" = "resume"): boolean {
    this.continuing[who] = false;
    this.place.slash([verb, "demo"], who);
    return true;
  }

  /** Edits by hand leave just the text that they leave in the model; what is random is the machine's own. */
  private edit(act: string, { tasks, state }: World): boolean {
    const isOfState = /state|counter|limits|index|phase/.test(act);
    const isOfTasks = /by hand|list|writes another/.test(act);
    const { stateFile, journalFile } = this.place.layout;
    if (act === "empties the journal") writeFileSync(this.path(journalFile), "");
    else if (isOfState) this.write(stateFile, state?.replace(TOKEN, this.token() ?? ""));
    else if (isOfTasks) this.write("tasks.md", tasks);
    else return false;
    return true;
  }

  private write(name: string, text: string | undefined): void {
    if (text === undefined) rmSync(this.path(name), { force: true });
    else writeFileSync(this.path(name), text);
  }

  read(name: string): string | undefined {
    return readIfThere(this.path(name));
  }

  /** What the user's own folder has of the run. */
  kept(file: keyof typeof VAULT_FILES): string | undefined {
    const { env, layout, folder } = this.place;
    return readIfThere(vaultFile(env["HOME"] as string, layout, folder, file));
  }

  token(): string | undefined {
    const record = this.kept("record");
    return record === undefined ? undefined : (JSON.parse(record) as { token: string }).token;
  }
}
