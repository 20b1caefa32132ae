import { array, boolean, constantFrom, integer, oneof, record, tuple } from "fast-check";
import type { Arbitrary } from "fast-check";

interface Piece {
  readonly tags: readonly string[];
  readonly checked: boolean;
  readonly title: string;
  readonly body: readonly (string | ((ids: readonly string[]) => string))[];
  readonly children: number;
  readonly gap: number;
  readonly loose: string | undefined;
  readonly fix: boolean;
}

const id = (ids: readonly string[], at: number): string => ids[at % ids.length] ?? "1.1";
const at = integer({ min: 0, max: 40 });

const bodyLine: Arbitrary<Piece["body"][number]> = oneof(
  at.map((n) => (ids: readonly string[]) => `- **Depends**: ${id(ids, n)}`),
  tuple(at, at).map(
    ([n, m]) =>
      (ids: readonly string[]) =>
        `- it depends on ${id(ids, n)} and ${id(ids, m)}, see 9.9`,
  ),
  tuple(at, at).map(
    ([n, m]) =>
      (ids: readonly string[]) =>
        `> Unblocks: ${id(ids, n)} (why 1.1), ${id(ids, m)}`,
  ),
  at.map((n) => (ids: readonly string[]) => `like ${id(ids, n)}, after ${id(ids, n)}`),
  constantFrom("a", "b", "c", "d", "e").map((name) => `- **Files**: \`src/${name}.ts\``),
  constantFrom(
    "- **Verify**: `npm test`",
    "- [ ] a step",
    "- we might explore this",
    "**Do**: it is critical to the core",
    "",
    "```\n- [ ] 1.1 depends on 1.2\n```",
    "```\nnever closed",
    "<!-- depends on 1.2 -->",
    "    four more columns",
    "_Requirements: 1.1, 1.2_",
    // What follows a NUL goes to the left margin.
    '- `gh pr create --body "$(cat <<EOF\n\0## Plan\n\0- [ ] depends on 1.2\n\0EOF\n\0)"`',
    "```\ncat > a <<'MD'\n\0# A\n\0- [ ] b\n\0MD\n```",
    "- cat <<EOF, never closed",
  ),
);

const piece: Arbitrary<Piece> = record({
  tags: array(
    constantFrom("P", "P", "RISKY", "TRIVIAL", "HIGH-VALUE", "BLOCKER", "VERIFY", "US1"),
    {
      maxLength: 2,
    },
  ),
  checked: integer({ min: 0, max: 9 }).map((n) => n === 0),
  title: constantFrom(
    "plain",
    "explore what might be",
    "core and critical",
    "in src/a.ts",
    "could be",
  ),
  body: array(bodyLine, { maxLength: 3 }),
  children: integer({ min: 0, max: 8 }).map((n) => Math.max(0, n - 6)),
  gap: integer({ min: 0, max: 1 }),
  loose: tuple(
    integer({ min: 0, max: 11 }),
    constantFrom("some text", "<!-- comment -->", "---", "- a plain item", "<div>"),
  ).map(([n, text]) => (n === 0 ? text : undefined)),
  fix: integer({ min: 0, max: 9 }).map((n) => n === 0),
});

/** Whole files: phases, dependencies at random (circles too), fences, sub-tasks, loose text, odd line ends. */
export const taskFile: Arbitrary<string> = record({
  phases: array(array(piece, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 }),
  dialect: constantFrom("specum", "speckit"),
  bullet: constantFrom("- ", "* ", "1. "),
  eol: constantFrom("\n", "\r\n"),
  bom: boolean(),
  heading: boolean(),
  ends: boolean(),
}).map(({ phases, dialect, bullet, eol, bom, heading, ends }) => {
  const ids = phases.flatMap((pieces, phase) => pieces.map((_, i) => `${phase + 1}.${i + 1}`));
  const name = (own: string): string =>
    dialect === "specum" ? own : `T${String(ids.indexOf(own) + 1).padStart(3, "0")}`;
  const names = ids.map(name);
  const inner = " ".repeat(bullet.length);
  const lines: string[] = [];
  for (const [phase, pieces] of phases.entries()) {
    if (heading || phase > 0) lines.push(`## Phase ${phase + 1}`, "");
    for (const [i, one] of pieces.entries()) {
      const before = pieces[i - 1] === undefined ? undefined : name(`${phase + 1}.${i}`);
      const tags = one.fix && before !== undefined ? [...one.tags, `FIX ${before}`] : one.tags;
      const own = name(`${phase + 1}.${i + 1}`);
      const mark = one.checked ? "x" : " ";
      lines.push(
        `${bullet}[${mark}] ${own} ${tags.map((tag) => `[${tag}] `).join("")}${one.title}`,
      );
      const body = one.body.map((line) => (typeof line === "string" ? line : line(names)));
      for (const line of body.flatMap((text) => text.split("\n"))) {
        lines.push(line === "" || line.startsWith("\0") ? line.slice(1) : inner + line);
      }
      for (let child = 1; child <= one.children; child++) {
        const sub = dialect === "specum" ? `${own}.${child}` : `${own}${"abc"[child]}`;
        lines.push(`${inner}${bullet}[ ] ${sub} sub-task`, `${inner}${inner}more`);
      }
      for (let n = 0; n < one.gap; n++) lines.push("");
      if (one.loose !== undefined) lines.push("", one.loose, "");
    }
    lines.push("");
  }
  return (bom ? "\uFEFF" : "") + lines.join(eol) + (ends ? eol : "x");
});
