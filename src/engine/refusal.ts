/**
 * Why something expected did not happen. `refused`: a well-formed no. `usage`: the request itself is wrong. `missing`:
 * no spec, task or run to act on. `broken`: a file is corrupt, unreadable or held by another process. `unavailable`: no
 * agent can work.
 */
export type RefusalKind = "refused" | "usage" | "missing" | "broken" | "unavailable";

/** An expected failure: what is wrong, and what to do about it. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly kind: RefusalKind;
  readonly fix: string | undefined;

  /** The program and what it loads are bundles, each with a copy of this class: they have to know each other's. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "Refusal";
  }

  constructor(kind: RefusalKind, message: string, fix?: string) {
    super(message);
    this.kind = kind;
    this.fix = fix;
  }
}
