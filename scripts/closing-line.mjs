/**
 * The last line of `npm test`, and its exit code. A file that cannot be loaded, or something that was left behind, is not
 * a test that failed, but it is a failure: the line never says "0 failed" beside another exit code than 0.
 */
export function closingLine(report, status, problems = []) {
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0 } = report;
  const others = status !== 0 && numFailedTests === 0 ? [...problems, BESIDES] : problems;
  const failed = numFailedTests + others.length;
  const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : "";
  return {
    lines: [...others, `${numPassedTests} passed, ${failed} failed${skipped}`],
    exitCode: failed > 0 ? status || 1 : 0,
  };
}

const BESIDES = "something besides the tests failed: see above";
