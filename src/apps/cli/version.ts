/** Inserted by the build, from package.json. */
declare const VERSION: string | undefined;
declare const ISSUES: string | undefined;

export const version = typeof VERSION === "string" ? VERSION : "development";

/** Where to report bugs; empty if package.json does not say. */
export const issues = typeof ISSUES === "string" ? ISSUES : "";
