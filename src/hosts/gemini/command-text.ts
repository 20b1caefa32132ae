/** What follows the user's words in the text of each command. The hook takes it off again. */
const REST = `

Smart Ralph's hook has run this command: follow what it added below. If nothing is added, do nothing but tell the user that the hook did not run, and that \`smart-ralph doctor\` says why.
`;

/** The text of a command, which the client fills with what the user typed after it. */
export const commandText = (plugin: string, name: string): string =>
  `/${plugin}:${name} {{args}}${REST}`;

/** Another extension's words at the start of a session are put before the first prompt of a headless client. */
const CONTEXT = /^(?:<hook_context>[^<]*<\/hook_context>\s*)+/;

/** What the user typed: `/ralph-specum:implement demo`. A client that is just starting sends it as it is. */
export const typedIn = (prompt: string): string => {
  const text = prompt.replace(CONTEXT, "");
  return (text.endsWith(REST) ? text.slice(0, -REST.length) : text).trim();
};
