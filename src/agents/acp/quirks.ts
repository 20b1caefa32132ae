/** An agent that speaks the Agent Client Protocol over its standard input and output. */
export interface AcpSettings {
  readonly id: string;
  readonly name: string;
  /** What starts it, `["gemini", "--acp"]`. */
  readonly command: readonly string[];
  /** Where it can be had. */
  readonly site?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly quirks?: Quirks;
}

/** In what an agent differs from the protocol, or from the others. */
export interface Quirks {
  /** Always in its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** How it is told a model when it starts. Without this, its session is asked for one. */
  readonly modelArgs?: (model: string) => readonly string[];
  /** The mode in which it does not ask before it uses a tool. It would be told yes, but some spend a call of the model on the question. */
  readonly mode?: string;
  /** Whether a new session's `systemPrompt` reaches the model. Most take it and lose it. */
  readonly hearsSystemPrompt?: true;
}

export const GEMINI: Quirks = {
  // It trusts no new folder, such as a work tree, and then refuses to work unasked. It would also start itself twice.
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
