import type { Dependency, UnknownId } from "./dependencies.ts";
import type { TaskList } from "./model.ts";
import { helpedTasks, type Ids, idsOf, type Mention, readMentions } from "./references.ts";
import { helpedIds } from "./tags.ts";

/** What the file says in words and by `[FIX x.y]` about who waits for whom. */
export function readStatedDependencies(
  list: TaskList,
  ids: Ids,
  add: (one: Dependency) => void,
): readonly UnknownId[] {
  const unknown: UnknownId[] = [];
  let last = -1;
  for (const [i, mentions] of readMentions(list, ids).entries()) {
    const line = i + 1;
    if (list.tasks[last + 1]?.line === line) last++;
    const task = list.tasks[last];
    const own = task !== undefined && line <= task.endLine ? task : undefined;

    const say = ({ relation, subjects, references }: Mention): void => {
      const named = subjects.flatMap(({ id }) => ids.index.get(id.toLowerCase()) ?? []);
      // Outside a task, words without a subject are about a phase, or about nobody.
      const speakers = named.length === 0 && own !== undefined ? [own.index] : named;
      if (speakers.length === 0) return;
      for (const id of references.flatMap((reference) => idsOf(reference, ids))) {
        const other = ids.index.get(id.toLowerCase());
        if (!ids.index.has(id.toLowerCase())) unknown.push({ id, line });
        if (other === undefined) continue;
        for (const one of speakers) {
          const [waits, on] = relation === "on" ? [one, other] : [other, one];
          add({ task: waits, on, kind: "stated", line });
        }
      }
    };

    if (own?.line === line) {
      for (const helped of helpedTasks(own, ids)) {
        add({ task: helped, on: own.index, kind: "fix", line });
      }
      for (const id of helpedIds(own)) {
        if (!ids.index.has(id.toLowerCase())) unknown.push({ id, line });
      }
    }
    for (const mention of mentions) say(mention);
  }
  return unknown;
}
