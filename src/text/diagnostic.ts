import { field, forPeople, objectWith, oneOf, string, type TypeOf } from "./schema.ts";

export const diagnosticKind = objectWith(
  {
    severity: field(oneOf("ok", "info", "warning", "error"), ""),
    code: field(string, "What was looked at."),
    message: forPeople,
  },
  { target: field(string, ""), fix: forPeople },
);

/** A problem as data: what is wrong, where, and how to fix it. */
export type Diagnostic = TypeOf<typeof diagnosticKind>;

/** A problem on a line of a file; lines are 1-based, as editors show them. */
export interface LineDiagnostic extends Diagnostic {
  readonly fix: string;
  readonly line: number;
}

/** Findings about one thing, which have the same code, and maybe the same place. */
export function findingsAbout(code: string, target?: string) {
  const found =
    (severity: Diagnostic["severity"]) =>
    (message: string, fix?: string): Diagnostic => ({
      severity,
      code,
      message,
      ...(target === undefined ? {} : { target }),
      ...(fix === undefined ? {} : { fix }),
    });
  return { ok: found("ok"), info: found("info"), warning: found("warning"), error: found("error") };
}
