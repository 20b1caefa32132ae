import { Refusal } from "../../engine/refusal.ts";
import { moveForward } from "../../git/join.ts";
import { findGit } from "../../store/git-files.ts";
import { faultIn } from "../../store/read.ts";
import type { Spec } from "../../store/spec.ts";
import { oneLine } from "../../text/template.ts";
import type { FilePlan } from "./bring-home.ts";
import { nameSome } from "./plan-merge.ts";

/** The only step of `take` that changes the user's branch. If git fails, even halfway, their tree is put back. */
export function advance(
  home: Spec,
  mine: string,
  commit: string,
  plan: FilePlan,
  undo: () => void,
): void {
  const { root } = home.project;
  const top = findGit(root)?.top ?? root;
  const putBack = plan.clear();
  const why = mine === commit ? undefined : moveForward(top, commit);
  if (why === undefined) return;
  const left = putBack();
  const said = `git refused: ${oneLine(why, 300)}`;
  if (left.length > 0)
    throw new Refusal(
      "broken",
      `${said}; these files of yours could not be put back: ${nameSome(left)}`,
      "fix that (is the disk full?), and take again: it goes on from there, and your branch has not moved",
    );
  // If it cannot be written, the next take finds nothing half done.
  faultIn(undo);
  throw new Refusal("refused", said, "nothing has changed");
}
