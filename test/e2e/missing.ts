/** The variable that names the clients that could not be downloaded: `codex,gemini`. Set by `scripts/test.mjs`. */
const MISSING = "MISSING_CLIENTS";

export const missingClients: readonly string[] = (process.env[MISSING] ?? "")
  .split(",")
  .filter((id) => id !== "");

/** The test files that need a client that is not there: named after it, or for several of them. */
export const needMissing: readonly string[] = missingClients.includes("claude")
  ? ["test/e2e/**"]
  : missingClients.length > 0
    ? [
        ...missingClients.map((id) => `test/e2e/**/${id}*`),
        "test/e2e/run/**",
        "test/e2e/hosts/{two-clients,nobody-types}*",
      ]
    : [];
