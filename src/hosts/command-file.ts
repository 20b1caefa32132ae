import type { Edition } from "../layouts/layout.ts";

/** A command file of the plugin: what the client makes of it in its own way, we do for clients that cannot. */
export interface CommandFile {
  /** The text before and after the lines that are run. */
  readonly before: string;
  readonly after: string;
  /** Words of our program's command line, if it has one: `tasks list`. */
  readonly words: readonly string[] | undefined;
}

const RUN = /^```!\n\S+ (.*)\n```$/m;

export function parseCommandFile(text: string): CommandFile {
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, "").trim();
  const found = RUN.exec(body);
  if (found === null) return { before: body, after: "", words: undefined };
  const words = (found[1] ?? "").split(" ");
  const end = words.findIndex((word) => word.startsWith("--"));
  return {
    before: body.slice(0, found.index).trim(),
    after: body.slice(found.index + found[0].length).trim(),
    words: end === -1 ? words : words.slice(0, end),
  };
}

/** The prompt that a command file makes, with what its line printed, in this client's words. */
export function renderCommandFile(
  { voice, plugin }: Edition,
  file: CommandFile,
  args: string,
  printed: string,
): string {
  const inVoice = (text: string): string =>
    text
      .replace(new RegExp(`/${plugin}:([a-z]+)`, "g"), (_, name: string) => voice.command(name))
      .replace(new RegExp(`\`${plugin} `, "g"), () => `\`${voice.program} `)
      .replaceAll("$ARGUMENTS", () => args);
  return [inVoice(file.before), printed.trim(), inVoice(file.after)]
    .filter((part) => part !== "")
    .join("\n\n");
}
