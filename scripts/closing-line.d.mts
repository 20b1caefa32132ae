export function closingLine(
  report: Readonly<
    Partial<Record<"numPassedTests" | "numFailedTests" | "numPendingTests", number>>
  >,
  status: number,
  problems?: readonly string[],
): { readonly lines: string[]; readonly exitCode: number };
