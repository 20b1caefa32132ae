import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "./support.ts";

/** A project with something to index. */
export const CODE = {
  "src/login.service.ts": "/** Logs people in. */\nexport class LoginService {}\n",
  "src/mail.py": '"""Sends mail."""\n\ndef send(): pass\n',
  "src/mail.test.ts": "describe('mail', () => {});\n",
  "README.md": "# The shop\n",
  "logo.png": "no source",
};

export const folderOf = (place: Place): string =>
  join(place.root, place.layout.extras ?? place.layout.specsDirs[0], ".index");
export const read = (place: Place, name: string): string =>
  readFileSync(join(folderOf(place), name), "utf8");
