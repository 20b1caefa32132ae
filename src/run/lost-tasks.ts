import type { Task, TaskList } from "../tasks/model.ts";
import type { Agreement } from "./agreement.ts";
import { isSettled } from "./claim/settled.ts";
import type { Entry } from "./journal.ts";

/** Tasks that the user agreed to, that nobody has proven, and that the list no longer has. */
export const findLost = (
  agreed: Agreement | undefined,
  { tasks }: TaskList,
  entries: readonly Entry[],
): string[] =>
  (agreed?.tasks ?? []).filter(
    (key) =>
      !tasks.some((task) => agreementKey(task) === key) &&
      !isSettled(entries, { id: key }) &&
      // Positions, in what older versions wrote.
      !/^#\d+$/.test(key),
  );

/** A box without an id is named by its position, which changes: its title stands for it. */
export const agreementKey = ({ id, title }: Task): string =>
  id.startsWith("#") ? `#${title}` : id;
