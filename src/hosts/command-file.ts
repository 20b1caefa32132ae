import type { Edition } from "../layouts/layout.ts";

/** A part of a command file: text, or a line that is run and whose output takes its place. */
export type CommandPart =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "run";
      /** Words of our program's command line: `tasks list`. */
      readonly words: readonly string[];
      /** Whether it takes what the user typed, and their authority. */
      readonly isTyped: boolean;
    };

/** What a client makes of a command file of the plugin in its own way, we do for clients that cannot. */
export const parseCommandFile = (text: string): CommandPart[] =>
  text
    .replace(/^---\n[\s\S]*?\n---\n/, "")
    .split(/^(```!\n.*\n```)$/m)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const line = /^```!\n\S+ (.*)\n```$/.exec(part)?.[1];
      if (line === undefined) return { kind: "text", text: part };
      const words = line.split(" ");
      const end = words.findIndex((word) => word.startsWith("--"));
      return {
        kind: "run",
        words: end === -1 ? words : words.slice(0, end),
        isTyped: words.includes("--typed"),
      };
    });

/** A text of a command file, in this client's words. */
export const inVoice = ({ voice, plugin }: Edition, text: string, args: string): string =>
  text
    .replace(new RegExp(`/${plugin}:([a-z]+)`, "g"), (_, name: string) => voice.command(name))
    .replace(new RegExp(`\`${plugin} `, "g"), () => `\`${voice.program} `)
    .replaceAll("$ARGUMENTS", () => args);
