/**
 * What must hold in every client, in the words of `docs/compatibility.md`; each names the scenario that shows it. A
 * client's difference is in its adapter, with the reason.
 */
export const BEHAVIOURS = {
  twelve: {
    says: "12 tasks run to their end, each handed out once, with evidence for each",
    scenario: "a long run",
  },
  verify: {
    says: "Verify is run by us: a lie is sent back and the box stays open",
    scenario: "a long run",
  },
  completion: {
    says: "a false `ALL_TASKS_COMPLETE` is sent back",
    scenario: "a long run",
  },
  authority: {
    says: "an agent cannot accept, approve, raise its bounds or begin its counts again",
    scenario: "an agent that would be its own user",
    but: "On Linux even with an empty environment and a terminal of its own, by the client among the processes above it. What an agent with a free hand can still forge, such as a process whose parent has ended, is in [SECURITY.md](../SECURITY.md#what-can-only-be-made-visible); a decision from a terminal that is not the client's is told in the client and in the receipt.",
  },
  pause: {
    says: "interrupt, `pause`, chat, `resume`, `cancel`",
    scenario: "a user who pauses, chats, resumes and cancels",
  },
  talker: {
    says: "an agent that only talks is stopped",
    scenario: "an agent that only talks",
  },
  busy: {
    says: "an agent that is busy without progress is stopped",
    scenario: "an agent that is busy without progress",
  },
  corrupt: {
    says: "a broken state is reported once, and `implement` rebuilds it",
    scenario: "a state that turns corrupt",
  },
  bystander: {
    says: "another session in the same folder is left alone",
    scenario: "a bystander",
  },
  group: {
    says: "a parallel group and a `[VERIFY]` task are done, each task once",
    scenario: "a group and a wall",
  },
  killed: {
    says: "a killed session's run is resumed in a new one",
    scenario: "a client that is killed",
  },
  clone: {
    says: "a run that came with a clone is not continued, and nothing of it is run",
    scenario: "a clone with a run in it",
  },
  documents: {
    says: "from a goal to a document that is checked and waits for your approval",
    scenario: "a goal and its first document",
  },
} as const satisfies Readonly<Record<string, Behaviour>>;

export interface Behaviour {
  readonly says: string;
  readonly scenario: string;
  /** A footnote for every client. */
  readonly but?: string;
}

export type BehaviourId = keyof typeof BEHAVIOURS;
export type ScenarioName = (typeof BEHAVIOURS)[BehaviourId]["scenario"];

/** In every run; the others only in a full one. */
export const ALWAYS: readonly ScenarioName[] = ["a long run"];

/**
 * In every run, but in this client only: it stands for all in which the main agent works itself. Claude Code has tests
 * of its own for them, and every client's long run has an agent that tries to be its user.
 */
export const IN_ONE = {
  client: "codex",
  scenarios: [
    "an agent that would be its own user",
    "a user who pauses, chats, resumes and cancels",
  ] as readonly ScenarioName[],
};
