import { requireShell } from "../../../../engine/authority.ts";
import { discardRun } from "../../../../runner/discard-run.ts";
import type { Discard } from "../../../../runner/trees/discard.ts";
import { quoteForShell } from "../../../../text/quote.ts";
import { counted } from "../../../../text/wording.ts";
import { confirm } from "../../../stdio/terminal.ts";
import type { Command } from "../../command.ts";
import { canAsk, homeOf } from "./take.ts";

export const discard: Command = {
  summary: "remove a run's branch and work tree; what is not in your branch is kept under a ref",
  args: ["[spec]"],
  options: { yes: { summary: "do not ask" } },
  details: `For a run whose work you do not want: afterwards the spec is as it is in your own tree, and a client or run begins again
from there. It first shows which commits your branch does not have and which files are uncommitted, and asks. All of
them, and the run's journal, are kept as a commit at refs/smart-ralph/discarded/<spec>/<time>; files that git ignores
are not. Of an epic, the trees of its specs go too. A run that is at work is refused: stop it first. Without a terminal
it needs --yes; otherwise it only shows what would go, and exits with 1.`,
  async run(context, input) {
    requireShell(context, "discard");
    const home = homeOf(context, input, "discard");
    const isAsked = input.options["yes"] === true;
    const isTerminal = canAsk(context, input);
    const { plan, isDone } = await discardRun(home, context.now().at, async (found) => {
      if (isAsked || !isTerminal) return isAsked;
      context.write(`${describe(found)}\n`);
      return confirm(`Discard it? [y/N] `);
    });
    const { branch, tree, commits, files, ref } = plan;
    const facts = { spec: home.name, branch, tree, commits, files };
    if (isDone)
      return {
        verbatim: true,
        text: tellDone(plan),
        json: { ...facts, kept: ref === undefined ? [] : [ref] },
      };
    const way = isTerminal ? "Nothing is removed." : "Nothing is removed yet; add --yes to do it.";
    return {
      ok: false,
      verbatim: true,
      text: isTerminal ? way : `${describe(plan)}\n${way}`,
      json: { ...facts, kept: [] },
    };
  },
};

const MAX_SHOWN = 20;

const listed = (lines: readonly string[]): string[] => [
  ...lines.slice(0, MAX_SHOWN).map((line) => `  ${line}`),
  ...(lines.length > MAX_SHOWN ? [`  and ${lines.length - MAX_SHOWN} more`] : []),
];

function describe({ spec, branch, tree, into, commits, files, ref }: Discard): string {
  return [
    `This would remove the run of "${spec.name}": the branch ${branch} and the work tree ${tree}`,
    `${counted(commits.length, "commit")} not in ${into}${commits.length === 0 ? "" : ":"}`,
    ...listed(commits.map(({ commit, subject }) => `${commit} ${subject}`)),
    `${counted(files.length, "uncommitted file")}${files.length === 0 ? "" : ":"}`,
    ...listed(files),
    ...(ref === undefined
      ? []
      : [`These and the journal are kept at ${ref.replace(/[^/]*$/, "<time>")}.`]),
  ].join("\n");
}

function tellDone({ spec, branch, commits, files, ref, into }: Discard): string {
  const gone = `Discarded the run of "${spec.name}": the branch ${branch} and its work tree are removed.`;
  if (ref === undefined) return gone;
  return `${gone}
${counted(commits.length, "commit")}, ${counted(files.length, "uncommitted file")} and the journal are kept at ${ref}.
To look at it: git log --stat ${into === "your commit" ? "HEAD" : quoteForShell(into)}..${ref}
To have it back as a branch: git branch ${quoteForShell(`${spec.name}-again`)} ${ref}`;
}
