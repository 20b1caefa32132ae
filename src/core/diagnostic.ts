/** A problem as data: what it is, where, and what mends it. */
export interface Diagnostic {
  readonly severity: "ok" | "info" | "warning" | "error";
  readonly code: string;
  readonly message: string;
  readonly target?: string;
  readonly fix?: string;
}
