/** Put in by the build, from package.json. */
declare const VERSION: string | undefined;

export const version = typeof VERSION === "string" ? VERSION : "development";
