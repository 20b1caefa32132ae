import { editionsOf, hosts } from "../../src/hosts/all.ts";
import type { Edition } from "../../src/layouts/layout.ts";
import { isFull } from "./full.ts";

/** Layouts as the first client's users meet them: what most tests work with. */
const editions = editionsOf(hosts[0]);
/** OpenSpec has tests of its own, and is held to the contract; a full run tries everything else with it, too. */
export const layouts = isFull ? editions : (editions.slice(0, 2) as [Edition, Edition]);
export const everyLayout = editions;
export const [specum, speckit, openspec] = editions as unknown as [Edition, Edition, Edition];
