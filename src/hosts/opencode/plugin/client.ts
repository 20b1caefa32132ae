/** The part of OpenCode's plugin interface that we use. All of it may be missing in another version. */
export interface Client {
  readonly session: {
    get(ask: At): Promise<Reply<{ readonly parentID?: string }>>;
    messages(ask: At & { readonly query: { readonly limit: number } }): Promise<Reply<Message[]>>;
    prompt(ask: At & { readonly body: Prompt }): Promise<Reply<Message>>;
    promptAsync(ask: At & { readonly body: Prompt }): Promise<unknown>;
    abort(ask: At): Promise<unknown>;
  };
  readonly tui: { showToast(ask: { readonly body: Toast }): Promise<unknown> };
  /** For what has no function of its own. */
  readonly _client: {
    patch(ask: { url: string; body: unknown; headers: object }): Promise<unknown>;
  };
}

interface At {
  readonly path: { readonly id: string };
}

interface Toast {
  readonly message: string;
  readonly variant: "info" | "error";
}

interface Reply<T> {
  readonly data?: T;
}

/** As whom a message is sent: otherwise the client's own choice would replace the user's. */
export interface As {
  readonly agent?: string;
  readonly model?: { readonly providerID: string; readonly modelID: string };
  readonly variant?: string;
}

interface Prompt extends As {
  readonly noReply?: boolean;
  readonly parts: readonly Part[];
}

export interface Message {
  readonly info: {
    readonly id: string;
    readonly sessionID: string;
    readonly role: "user" | "assistant";
    /** Why the model ended: `stop`, `tool-calls`, … */
    readonly finish?: string;
    readonly error?: Fault;
  };
  readonly parts: Part[];
}

export interface Fault {
  readonly name: string;
  readonly data?: { readonly message?: string };
}

export interface Part {
  readonly id?: string;
  readonly sessionID?: string;
  readonly messageID?: string;
  readonly type: string;
  text?: string;
  /** The user does not see it. */
  synthetic?: boolean;
  /** The model does not see it. */
  ignored?: boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The user's message while it is being made. */
export interface Spoken {
  readonly message: {
    readonly id: string;
    readonly agent?: string;
    readonly model?: NonNullable<As["model"]> & { readonly variant?: string };
  };
  readonly parts: Part[];
}

export interface BusEvent {
  readonly type: string;
  readonly properties: {
    readonly sessionID?: string;
    readonly info?: { readonly id: string; readonly parentID?: string };
    readonly status?: { readonly type: string };
    readonly error?: Fault;
  };
}
