import type { Edition } from "../layouts/layout.ts";
import { editionsOf } from "./all.ts";
import { claude as claudeHost } from "./claude/host.ts";
import { packageFiles as claude } from "./claude/package.ts";
import type { GeneratedFile } from "./generated.ts";
import type { Host } from "./host.ts";

/** What each client installs, besides the bundles: text files of the repository. */
const packages: readonly [Host, (editions: readonly Edition[]) => GeneratedFile[]][] = [
  [claudeHost, claude],
];

export const packageFiles = (): GeneratedFile[] =>
  packages.flatMap(([host, files]) => files(editionsOf(host)));
