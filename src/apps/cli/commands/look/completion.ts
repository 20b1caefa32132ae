import { Refusal } from "../../../../engine/refusal.ts";
import type { Command, NamedCommand } from "../../command.ts";
import { COMPLETIONS } from "../../completion.ts";

const SHELLS = Object.keys(COMPLETIONS);

/** The list of commands is passed in: it contains this one. */
export const completionOf = (commands: () => Promise<readonly NamedCommand[]>): Command => ({
  summary: "a script that completes commands and options with the Tab key",
  args: [`<${SHELLS.join("|")}>`],
  details: `bash: add to ~/.bashrc  source <(smart-ralph completion bash)
zsh: add to ~/.zshrc, after compinit  source <(smart-ralph completion zsh)
fish: smart-ralph completion fish > ~/.config/fish/completions/smart-ralph.fish`,
  async run(context, input) {
    const [shell = ""] = input.args;
    const known = Object.entries(COMPLETIONS).find(([name]) => name === shell);
    if (known === undefined)
      throw new Refusal(
        "usage",
        `there is no completion for "${shell}"`,
        `there is: ${SHELLS.join(", ")}`,
      );
    const script = known[1](await commands(), context.program);
    return { text: script.trimEnd(), json: { shell, script }, verbatim: true };
  },
});
