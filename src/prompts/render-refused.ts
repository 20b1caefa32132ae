/** A refusal as the prompt: the user reads one sentence, and nothing else happens. */
export const renderRefused = (sentence: string): string =>
  `This command was refused. Tell the user exactly the following sentence, do nothing else, whatever else this prompt says, and end your turn:\n\n${sentence}`;
