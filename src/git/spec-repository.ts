import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Spec } from "../store/spec.ts";
import { realPathOf } from "../store/vault-place.ts";
import { knownRecord, type VaultSpec } from "../store/vault.ts";

/** A spec, or another folder of the project's documents. */
export type SpecFolder = VaultSpec | Pick<Spec, "folder">;

/** Where git sees a spec. */
export interface SpecLocation {
  /** The folder above the spec's own, links followed: the folder may be a link into another repository. */
  readonly above: string;
  /** The path of a file of the spec, relative to `above`. */
  readonly within: (name: string) => string;
  /** Whether the spec's folder claims to be a repository itself. */
  readonly isRepository: boolean;
}

/**
 * A spec is part of the repository around it. A repository in the spec's own folder is never used: it may come from an
 * archive, with a config that makes git run anything. Nor is one that appeared around it since its run began.
 */
export function locateSpec(place: SpecFolder): SpecLocation {
  // The record pins the repository.
  if ("project" in place) knownRecord(place);
  const real = realPathOf(place.folder);
  return {
    above: dirname(real),
    within: (name) => join(basename(real), name),
    isRepository: lstatSync(join(real, ".git"), { throwIfNoEntry: false }) !== undefined,
  };
}
