/** Ask a program to end. */
export const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** The same, and that its terminal is gone. */
export const SIGNALS = [...STOP_SIGNALS, "SIGHUP"] as const;
