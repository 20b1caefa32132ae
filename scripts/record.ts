import { writeFileSync } from "node:fs";
import { scenes } from "./record/scenes.ts";

/** `npm run record [-- <picture>…]` records the pictures in docs/ again. It needs tmux. */
const wanted = process.argv.slice(2);
for (const [name, scene] of Object.entries(scenes)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const path = `docs/${name}.svg`;
  writeFileSync(path, await scene());
  console.log(`wrote ${path}`);
}
