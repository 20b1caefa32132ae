import { reasonOf } from "../run/event-lines.ts";
import { counted } from "../text/wording.ts";
import type { Attempt } from "./attempts.ts";
import type { TaskFacts } from "./task-facts.ts";

type Tried = Pick<TaskFacts, "id" | "done" | "attempts"> & {
  readonly tries: readonly Pick<Attempt, "end" | "reason">[];
};

/** Why a task took more than one attempt, or is not done, in one line for people: `1.3 needed 3 attempts: its Verify failed, twice`. */
export function tellSetback(
  { id, done, attempts, tries }: Tried,
  endings: readonly string[] = [],
): string | null {
  const all = [...tries.flatMap((one) => reasonIn(id, one)), ...endings];
  if (all.length === 0) return null;
  const after = attempts === 0 ? "" : ` after ${counted(attempts, "attempt")}`;
  const took = attempts > 1 ? `needed ${attempts} attempts` : "was held up";
  const told = [...new Set(all)].map((why) => {
    const times = all.filter((one) => one === why).length;
    return times === 1 ? why : `${why}, ${times === 2 ? "twice" : `${times} times`}`;
  });
  if (done && attempts <= 1 && told.length === 1 && all[0] === ASKED)
    return `${id} ${told[0]?.slice("it ".length)}`;
  return `${id} ${done ? took : `is not done${after}`}: ${told.join("; ")}`;
}

const ASKED = "it waited for your answer";
const KNOWN: Readonly<Partial<Record<Attempt["end"], string>>> = {
  interrupted: "it was interrupted",
  asked: ASKED,
  doubted: "its agent called its Verify wrong",
  replaced: "its Verify was replaced",
};

function reasonIn(id: string, { end, reason }: Tried["tries"][number]): string[] {
  if (end === "done") return [];
  const known = KNOWN[end];
  if (known !== undefined) return [known];
  return [reason === null ? "its agent did not say that it is done" : plainly(id, reason)];
}

/** Its first sentence, without the command and without what is meant for the agent. */
function plainly(id: string, reason: string): string {
  const [first = ""] = reasonOf(id, reason).split(/\. |: (?:report it|finish the task)\b/);
  return (first.startsWith(`${id} `) ? `it${first.slice(id.length)}` : first)
    .replace(/its Verify `[^`]*`/, "its Verify")
    .replace(/ with exit code \w+/, "")
    .replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}
