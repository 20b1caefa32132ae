import type { VerifyRunner } from "../exec/local-runner.ts";
import type { Caller, Environment } from "../hosts/host.ts";
import type { Edition } from "../layouts/layout.ts";
import type { Now } from "../run/loop.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";

/** Who asks for something, and from where. */
export interface Request {
  /** Who asks, and with whose authority. */
  readonly caller: Caller;
  /** The layout, if fixed; otherwise the project shows it. */
  readonly layout: Edition | undefined;
  /** Every layout, in the caller's client's words. */
  readonly editions: readonly [Edition, ...Edition[]];
  readonly cwd: string;
  /** Where the search for a project starts: an agent may be in another repository when it reports a task. */
  readonly starts: readonly string[];
  /** The environment that commands run with. */
  readonly env: Environment;
  readonly now: () => Now;
  readonly verifier: VerifyRunner;
  /** Aborts when the program is asked to exit. Once used, Ctrl-C has to wait for the event loop. */
  readonly signal: () => AbortSignal;
  /** What users type to run us: `ralph-specum`, or `smart-ralph`. */
  readonly program: string;
}

/** Whether a client's user or agent asks, not somebody in a shell. */
export const isInClient = ({ caller }: Request): boolean =>
  caller.session !== null || caller.authority === "agent";

/** Whether a person typed it in a shell: what is printed is for them, not for an agent. */
export const isAtTerminal = ({ caller }: Request): boolean =>
  caller.session === null && caller.authority === "user";

/** How a spec begins: in a shell unattended too, in a client step by step. */
export const waysToBegin = (
  request: Request,
  { voice }: Edition,
  goal = "<what you want to build>",
): string => {
  const inClient = `${voice.command("start")} ${goal}`;
  return isInClient(request)
    ? inClient
    : `${SHELL_PROGRAM} run "${goal}", or ${inClient} in your client`;
};

/** What a person can type in a shell as well, whoever has the run. */
const ANYWHERE: ReadonlySet<string> = new Set(["accept", "answer", "approve", "inbox", "unskip"]);

/** A layout in the words of whoever asks. */
export const voiceFor = (request: Request, layout: Edition): Edition => ({
  ...layout,
  voice: {
    ...layout.voice,
    command: (name) =>
      ANYWHERE.has(name) ? commandFor(request, layout, name) : layout.voice.command(name),
  },
});

/** A command as the reader would type it: in a client, or in a shell. */
export const commandFor = (request: Request, { voice }: Edition, name: string): string =>
  isInClient(request) ? voice.command(name) : `${request.program} ${name}`;
