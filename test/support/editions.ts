import { editionsOf, hosts } from "../../src/hosts/all.ts";
import type { Edition } from "../../src/layouts/layout.ts";

/** Layouts as the first client's users meet them: what most tests work with. */
const editions = editionsOf(hosts[0]);
export const layouts = editions;
export const [specum, speckit, openspec] = editions as unknown as [Edition, Edition, Edition];
