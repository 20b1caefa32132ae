/** A problem as data: what is wrong, where, and how to fix it. */
export interface Diagnostic {
  readonly severity: "ok" | "info" | "warning" | "error";
  readonly code: string;
  readonly message: string;
  readonly target?: string;
  readonly fix?: string;
}

/** A problem on a line of a file; lines are 1-based, as editors show them. */
export interface LineDiagnostic extends Diagnostic {
  readonly fix: string;
  readonly line: number;
}
