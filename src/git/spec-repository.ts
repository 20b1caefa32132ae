import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Spec } from "../store/spec.ts";
import { realOf } from "../store/vault-place.ts";

/** From where git looks at a spec. */
export interface Around {
  /** The folder above the spec's own, links followed: the folder may be a link into another repository. */
  readonly above: string;
  /** A file of the spec, as it is called from there. */
  readonly within: (name: string) => string;
  /** Whether the spec's folder claims to be a repository itself. */
  readonly isRepository: boolean;
}

/**
 * A spec is part of the repository around it. One in its own folder is not asked: an archive may bring it along, with a
 * config that has git run anything.
 */
export function aroundSpec({ folder }: Pick<Spec, "folder">): Around {
  const real = realOf(folder);
  return {
    above: dirname(real),
    within: (name) => join(basename(real), name),
    isRepository: lstatSync(join(real, ".git"), { throwIfNoEntry: false }) !== undefined,
  };
}
