import { layouts } from "../layouts/all.ts";
import type { Edition } from "../layouts/layout.ts";
import type { Host } from "./host.ts";

/** Every layout, as this client's users see it. */
export const editionsOf = (host: Host, bin?: string): [Edition, ...Edition[]] =>
  layouts.map((layout) => host.edition(layout, bin)) as [Edition, ...Edition[]];
