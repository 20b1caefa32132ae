import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ALL_TASKS_COMPLETE } from "../../src/core/signal.ts";
import { makePlace, type Place } from "../program/support.ts";
import type { Move } from "./game.ts";
import type { Setting } from "./program.ts";
import type { Who, World } from "./world.ts";

/** The same spec on a disk, with the built program in it: what the model says is held against this. */
export class Real {
  readonly place: Place;
  /** What the client tells the hook about a turn. */
  private readonly continuing = { a: false, b: false };

  constructor({ layout, settings }: Setting, { tasks, state }: World) {
    this.place = makePlace(layout, {
      [layout.settingsFile]: `---\nstall_limit: ${settings.stallLimit}\n---\n`,
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
    if (act === `does ${id} and reports it`) return this.report(id, after, true);
    if (act === `reports ${id} without having done it`) return this.report(id, after, false);
    if (act === `reports ${id} and contradicts itself`) {
      return this.report(id, after, true, "\nrequires manual steps");
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
    if (name === "the user pauses the loop") return this.run("pause");
    if (name === "the user cancels the run") return this.run("cancel");
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

  private report(id: string, { worked }: World, isDone: boolean, more = ""): boolean {
    const isCheck = this.place.tasks().includes(`${id} [VERIFY]`);
    if (isDone && worked.includes(id)) writeFileSync(join(this.place.root, `worked-${id}`), "");
    return this.run(
      "done",
      id,
      "--report",
      `${isCheck ? "VERIFICATION_PASS" : "TASK_COMPLETE"}${more}`,
    );
  }

  /** As the agent of session a would call it. */
  private run(...args: string[]): boolean {
    this.place.run(args, { env: { CLAUDE_CODE_SESSION_ID: "a" } });
    return true;
  }

  go(who: Who, ...args: string[]): boolean {
    this.continuing[who] = false;
    this.place.run(["resume", "demo", "--session", who, ...args]);
    return true;
  }

  /** Edits by hand leave just the text that they leave in the model. */
  private edit(act: string, { tasks, state }: World): boolean {
    const isOfState = /state|counter|limits|index|phase/.test(act);
    const isOfTasks = /by hand|list|writes another task/.test(act);
    if (!isOfState && !isOfTasks) return false;
    const path = this.path(isOfState ? this.place.layout.stateFile : "tasks.md");
    const text = isOfState ? state : tasks;
    if (text === undefined) rmSync(path, { force: true });
    else writeFileSync(path, text);
    return true;
  }

  exists(name: string): boolean {
    return existsSync(this.path(name));
  }
}
