import { layouts } from "../layouts/all.ts";
import type { Edition } from "../layouts/layout.ts";
import { claude } from "./claude/host.ts";
import type { Host } from "./host.ts";

/** Every client that we support. */
export const hosts: readonly [Host] = [claude];

/** The client that these bundles are built for. */
export const [host] = hosts;

/** Every layout, as this client's users see it. */
export const editions = layouts.map(host.edition) as [Edition, ...Edition[]];
