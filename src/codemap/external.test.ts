import { describe, expect, it } from "vitest";
import { addNote, formatExternal, parseExternal, parseUrl, slugOf } from "./external.ts";

it.each([
  ["https://docs.example.com/api/", "https://docs.example.com/api/"],
  ["HTTP://Example.com", "http://example.com/"],
  ["example.com", "is not a URL"],
  ["", "is not a URL"],
  ["file:///etc/passwd", "is not an http or https URL"],
  ["javascript:alert(1)", "is not an http or https URL"],
  ["https://u:p@example.com", "contains a user name or password"],
])("parseUrl(%j): %s", (text, said) => {
  const parsed = parseUrl(text);
  expect(parsed.kind === "ok" ? parsed.url : parsed.why).toBe(said);
});

it.each([
  ["https://docs.example.com/api/v2/", "url-docs-example-com-api-v2"],
  ["https://www.example.com/", "url-example-com"],
  ["https://example.com/a?b=c#d", "url-example-com-a-b-c"],
  ["https://example.com/../../etc/passwd", "url-example-com-etc-passwd"],
  ["https://example.com/%2e%2e%2f%00", "url-example-com"],
  ["https://example.com/%E0%A4", "url-example-com-e0-a4"],
  [`https://example.com/${"long/".repeat(50)}`, /^url-[a-z-]{50,60}$/],
])("slugOf(%s)", (url, slug) => {
  expect(slugOf(url)).toMatch(slug);
  expect(slugOf(url)).toMatch(/^[\p{L}\p{N}-]+$/u);
});

describe("the file of a source", () => {
  const url = "https://example.com/a";
  it("reads back", () => {
    const text = formatExternal(url, "", "2026-01-02");
    expect(parseExternal("x.md", text)).toEqual({ name: "x.md", title: "example.com/a", url });
  });

  it("takes notes, one after the other", () => {
    const text = formatExternal(url, "first", "2026-01-02");
    expect(addNote(text, "second")).toMatch(/## Notes\n\n- first\n- second\n$/);
    expect(addNote(formatExternal(url, "", "x"), "first")).toMatch(/## Notes\n\n- first\n$/);
  });

  it("may be somebody else's", () => {
    expect(parseExternal("api.md", "just text\r\n")).toEqual({
      name: "api.md",
      title: "api",
      url: "",
    });
  });
});
