import { PHASE_VERBS, RUN_VERBS } from "../agent-verbs.ts";

/** In the project, where the client's sandbox lets no agent write. It reads such files in projects that the user trusts. */
export const RULES_FILE = ".codex/rules/smart-ralph.rules";

const VERBS = [...new Set([...RUN_VERBS, ...PHASE_VERBS].map((verb) => verb.split(" ")[0]))];

/**
 * What may run outside the sandbox, where `.git` and our own records are read-only: without the first rule no agent can
 * commit, and uncommitted work does not count. Whoever runs our program is still only an agent to it.
 */
export const sandboxRules = (program: string): string => `\
# For Codex, written by \`smart-ralph init --client codex\`: what agents run here without its sandbox.
# In the sandbox .git is read-only, and work that is not committed does not count as done.
# A commit runs the project's own git hooks, outside the sandbox too.
prefix_rule(pattern = ["git", ["add", "commit"]], decision = "allow")
# The run's own commands, on this machine: they note what they do in your own folder.
prefix_rule(pattern = [${JSON.stringify(program)}, ${JSON.stringify(VERBS)}], decision = "allow")
`;

/** The programs in such a file. */
export const programsIn = (rules: string): string[] =>
  [...rules.matchAll(/^prefix_rule\(pattern = \[("[^"]*[/\\]bin[/\\][^"]*")/gm)].map(
    ([, program = '""']) => JSON.parse(program) as string,
  );

/** Longer than any rule about git. */
const MAX_RULE = 300;

/** Whether rules let an agent commit, as far as that is certain. */
export const allowsCommit = (rules: string): boolean =>
  rules
    .split("\n")
    .some((line) =>
      /^\s*prefix_rule\(.*"git",\s*(?:"commit"|\[[^\]]*"commit"[^\]]*\])\s*\].*"allow"/.test(
        line.slice(0, MAX_RULE),
      ),
    );
