/** An agent that speaks the Agent Client Protocol over its standard input and output. */
export interface AcpSettings {
  readonly id: string;
  readonly name: string;
  /** The command that starts it: `["gemini", "--acp"]`. */
  readonly command: readonly string[];
  /** Where to get it. */
  readonly site?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly quirks?: Quirks;
}

/** How an agent differs from the protocol, or from other agents. */
export interface Quirks {
  /** Always in its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments that choose the model. Without this, the model is set through the session. */
  readonly modelArgs?: (model: string) => readonly string[];
  /** The mode in which it uses tools without asking. We would say yes, but some agents spend a model call on asking. */
  readonly mode?: string;
  /** Whether a new session's `systemPrompt` reaches the model. Most agents accept it and ignore it. */
  readonly hearsSystemPrompt?: true;
}

export const GEMINI: Quirks = {
  // It does not trust a new folder, such as a work tree, and then insists on asking. It would also start itself twice.
  env: { GEMINI_CLI_TRUST_WORKSPACE: "true", GEMINI_CLI_NO_RELAUNCH: "true" },
  modelArgs: (model) => [`--model=${model}`],
  mode: "yolo",
};

export const QWEN: Quirks = {
  env: { QWEN_CODE_SUPPRESS_YOLO_WARNING: "1" },
  modelArgs: (model) => [`--model=${model}`],
  mode: "yolo",
};

export const OPENCODE: Quirks = {
  env: { OPENCODE_DISABLE_AUTOUPDATE: "1" },
};
