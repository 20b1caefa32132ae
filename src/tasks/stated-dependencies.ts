import type { Dependency, UnknownId } from "./dependencies.ts";
import { isProse, readLeaves } from "../text/lines.ts";
import {
  continueMention,
  findMentions,
  fixedBy,
  fixIds,
  type Ids,
  idsOf,
  type Mention,
  type Reference,
} from "./references.ts";
import type { TaskList } from "./model.ts";

/** What the file says in words and by `[FIX x.y]` about who waits for whom. */
export function readSaid(
  list: TaskList,
  ids: Ids,
  add: (one: Dependency) => void,
): readonly UnknownId[] {
  const unknown: UnknownId[] = [];
  const leaves = readLeaves(list.lines);
  let last = -1;
  let open: Mention | undefined;
  for (const [i, text] of list.lines.entries()) {
    const line = i + 1;
    if (list.tasks[last + 1]?.line === line) last++;
    const task = list.tasks[last];
    const own = task !== undefined && line <= task.endLine ? task : undefined;

    const say = ({ relation, subjects }: Mention, references: readonly Reference[]): void => {
      const named = subjects.flatMap((id) => ids.index.get(id.toLowerCase()) ?? []);
      // Outside of a task, words without a name in front speak of a phase, or of nobody.
      const speakers = named.length === 0 && own !== undefined ? [own.index] : named;
      if (speakers.length === 0) return;
      for (const id of references.flatMap((reference) => idsOf(reference, ids))) {
        const other = ids.index.get(id.toLowerCase());
        if (!ids.index.has(id.toLowerCase())) unknown.push({ id, line });
        if (other === undefined) continue;
        for (const one of speakers) {
          const [waits, on] = relation === "on" ? [one, other] : [other, one];
          add({ task: waits, on, kind: "said", line });
        }
      }
    };

    if (own?.line === line) {
      for (const fixed of fixedBy(own, ids)) {
        add({ task: fixed, on: own.index, kind: "fix", line });
      }
      for (const id of fixIds(own)) {
        if (!ids.index.has(id.toLowerCase())) unknown.push({ id, line });
      }
    }
    const isSaid = isProse(leaves[i]) && leaves[i] !== "heading";
    const carried = isSaid && open !== undefined ? continueMention(text, ids) : [];
    if (open !== undefined && carried.length > 0) {
      say(open, carried);
      continue;
    }
    open = undefined;
    for (const mention of isSaid ? findMentions(text, ids) : []) {
      if (mention.isOpen) open = mention;
      else say(mention, mention.references);
    }
  }
  return unknown;
}
