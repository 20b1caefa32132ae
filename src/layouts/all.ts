import type { Layout } from "./layout.ts";
import { openspec } from "./openspec.ts";
import { speckit } from "./speckit.ts";
import { specum } from "./specum.ts";

/** Every layout. The first is for projects that show no other. */
export const layouts: readonly [Layout, ...Layout[]] = [specum, speckit, openspec];
