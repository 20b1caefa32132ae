import { install as claudeInstall } from "./claude/install.ts";
import { setup as claude } from "./claude/setup.ts";
import { install as codexInstall } from "./codex/install.ts";
import { install as copilotInstall } from "./copilot/install.ts";
import { install as geminiInstall } from "./gemini/install.ts";
import type { Environment } from "./host.ts";
import { install as opencodeInstall } from "./opencode/install.ts";
import { install as qwenInstall } from "./qwen/install.ts";

/** One thing that a client's settings would get, for people. */
export interface Addition {
  readonly what: string;
  readonly why?: string;
}

/** What a client's settings would get. */
export interface SetupPlan {
  /** The whole file as it would be; undefined if nothing is missing. */
  readonly text?: string;
  readonly added: readonly Addition[];
  /** Verify commands that the client may ask about, even so: no rule can name them exactly. */
  readonly uncovered: readonly string[];
  /** Under which condition a run needs nobody: "if …". Undefined if there is none. */
  readonly proviso?: string;
}

export interface SetupWish {
  readonly root: string;
  readonly env: Environment;
  /** What agents may run there unasked, with any arguments. */
  readonly commands: readonly string[];
  /** What they may run exactly as it is. */
  readonly verify: readonly string[];
  /** Where those commands come from. */
  readonly tasksFile: string;
  /** The user asks for edits without questions. */
  readonly acceptsEdits: boolean;
}

/** How our package gets into a client. */
export interface InstallWish {
  /** The project's root. */
  readonly root: string;
  /** The folder that our own program is in: the npm package, or a clone. */
  readonly package: string;
  /** The plugin of the project's layout. */
  readonly plugin: string;
  readonly env: Environment;
}

/** One step: a command of the client, a file in the project, or what only the user can do. */
export type InstallStep =
  | {
      readonly kind: "run";
      readonly command: readonly [string, ...string[]];
      readonly why: string;
      /** What the client reads from its terminal: our user's yes is a yes to its question too. */
      readonly input?: string;
    }
  | {
      readonly kind: "file";
      readonly path: string;
      readonly text: string;
      readonly why: string;
      /** It names folders of this machine, so git is not to take it. */
      readonly isLocal?: true;
    }
  | {
      readonly kind: "by-hand";
      readonly what: string;
      readonly why: string;
    };

export interface HostInstall {
  readonly name: string;
  readonly steps: (wish: InstallWish) => readonly InstallStep[];
  /** What is left for the user to do in the client, in a sentence each. */
  readonly afterwards: readonly string[];
  /** The same, if it depends on the plugin: what to type first. */
  readonly first?: (plugin: string) => string;
}

/** What `init --client` can install, by the client's name. */
export const installs: readonly HostInstall[] = [
  claudeInstall,
  codexInstall,
  geminiInstall,
  opencodeInstall,
  qwenInstall,
  copilotInstall,
];

/** How a client is set up so that a run needs nobody to answer it. Separate from `Host`, because no hook needs it. */
export interface HostSetup {
  /** Its program, and what people call it. */
  readonly client: string;
  readonly title: string;
  /** The user's own settings in a project, relative to its root. */
  readonly file: string;
  /** Adds what is missing. What the user has set, here or elsewhere, stays. Undefined if the file is not valid. */
  readonly plan: (old: string | undefined, wanted: SetupWish) => SetupPlan | undefined;
}

export const setup: HostSetup = claude;
