import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A command as the client's settings have it. */
export interface MenuCommand {
  readonly description: string;
  readonly template: string;
}

/** Our commands for the client's menu, from the plugin's command files. What they do, the hook says when one is typed. */
export function readMenu(folder: string, plugin: string): Record<string, MenuCommand> {
  const files = readdirSync(folder).filter((name) => name.endsWith(".md"));
  return Object.fromEntries(
    files.map((file) => {
      const name = `${plugin}:${file.replace(/\.md$/, "")}`;
      const text = readFileSync(join(folder, file), "utf8");
      const description = /^description: (.*)$/m.exec(text)?.[1] ?? "";
      return [name, { description, template: `/${name} $ARGUMENTS\n\n${UNANSWERED}` }];
    }),
  );
}

/** Replaced when our hook answers. */
const UNANSWERED =
  "Smart Ralph did not answer this command. Tell the user so, and that `smart-ralph doctor` may say why; do nothing else.";
