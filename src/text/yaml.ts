import { parseDocument } from "yaml";

/**
 * A file of another tool, which is read as Python tools do (`yes` is true), but a time of day is a text. Undefined if it
 * cannot be read, or has what no such file needs: aliases, tags, several documents.
 */
export function parseYaml(text: string): unknown {
  try {
    const document = parseDocument(text.replace(/^\uFEFF/, ""), {
      version: "1.1",
      customTags: (tags) => tags.filter((tag) => typeof tag === "string" || !isTime(tag)),
    });
    if (document.errors.length > 0 || document.warnings.length > 0) return undefined;
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    // An alias, or a nest too deep to follow.
    return undefined;
  }
}

const isTime = ({ tag, format }: { readonly tag: string; readonly format?: string }): boolean =>
  format === "TIME" || tag.endsWith(":timestamp");
