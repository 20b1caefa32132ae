import type { TaskList } from "../tasks/model.ts";
import type { Agreement } from "./agreement.ts";
import { isSettled } from "./claim/receipt.ts";
import type { Entry } from "./journal.ts";

/** Tasks that the user agreed to, that nobody has proven, and that the list no longer has. */
export const findLost = (
  agreed: Agreement | undefined,
  { tasks }: TaskList,
  entries: readonly Entry[],
): string[] =>
  (agreed?.tasks ?? []).filter(
    (id) => !tasks.some((task) => task.id === id) && !isSettled(entries, { id }),
  );
