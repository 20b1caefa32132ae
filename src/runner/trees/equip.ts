import { withinRepository } from "../../engine/clean-copies.ts";
import { type Equipped, equipTree, type Needs } from "../../engine/equip-tree.ts";
import type { Request } from "../../engine/request.ts";
import { headOf } from "../../git/own-tree.ts";
import type { Project } from "../../store/project.ts";
import type { RunOptions } from "../options.ts";
import type { TaskTree } from "./task-tree.ts";
import type { Trunk } from "./trunk.ts";

/** As the user's settings have them. */
export type EquipOptions = Pick<RunOptions, "setup" | "share">;

export const needsOf = (project: Project, { setup, share }: EquipOptions): Needs => ({
  setups: setup === undefined ? [] : [{ command: setup, within: withinRepository(project) }],
  share,
});

/**
 * Makes a run's work tree usable: with the user's setup command, or with what is installed in the tree that it was made
 * from.
 */
export function equip(
  request: Pick<Request, "verifier" | "signal">,
  tree: Trunk | TaskTree,
  options: EquipOptions,
): Promise<Equipped> {
  const isTask = "trunk" in tree;
  const bare = {
    top: tree.top,
    commit: headOf(tree.top) ?? "",
    source: isTask ? tree.trunk.top : tree.home.project.root,
    spare: (isTask ? tree.trunk : tree).place.all,
    mayLink: isTask,
    signal: request.signal(),
  };
  return equipTree(request, bare, needsOf(tree.project, options));
}
