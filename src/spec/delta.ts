import type { LineDiagnostic } from "../text/diagnostic.ts";
import { type Line, readMarkdown } from "../text/markdown.ts";
import { readSections, type Section } from "../text/sections.ts";
import { oneLine } from "../text/template.ts";
import { splitFirstId } from "./requirement-ids.ts";
import type { Requirement } from "./requirements.ts";

const OPERATION = /^(added|modified|removed|renamed)\s+requirements$/i;
const REQUIREMENT = /^requirement\s*:\s*(\S.*)$/is;
const SCENARIO = /^scenario\s*:\s*(\S.*)$/is;

/** A requirement of a delta, with the headings below it. */
interface Block {
  readonly name: string;
  readonly section: Section;
  /** `added`, `modified`, `removed`. */
  readonly operation: string;
  readonly scenarios: readonly (Section & { readonly name: string })[];
}

/** What a change adds to a capability's spec, changes in it or removes from it, in OpenSpec's headings. */
function readBlocks(lines: readonly Line[]): { blocks: Block[]; operations: Section[] } {
  const sections = readSections(lines);
  const operations = sections.filter(({ level, title }) => level === 2 && OPERATION.test(title));
  const within = (outer: Section, level: number, pattern: RegExp) =>
    sections.flatMap((section) => {
      const name = pattern.exec(section.title)?.[1]?.trim();
      const isInside = outer.line < section.line && section.line <= outer.endLine;
      return section.level === level && isInside && name !== undefined
        ? [{ ...section, name }]
        : [];
    });
  const blocks = operations.flatMap((operation) =>
    within(operation, 3, REQUIREMENT).map((section) => ({
      name: section.name,
      section,
      operation: OPERATION.exec(operation.title)?.[1]?.toLowerCase() ?? "",
      scenarios: within(section, 4, SCENARIO),
    })),
  );
  return { blocks, operations };
}

/**
 * The requirements of a delta. OpenSpec has no ids: a task names a requirement, one of its scenarios, or the whole
 * capability. Two capabilities may use the same words, so the id has both.
 */
export function parseDelta(text: string, capability: string, file: string): Requirement[] {
  const found = new Map<string, Requirement>();
  const add = (id: string, name: string, line: number, whole?: string): void => {
    if (found.has(id)) return;
    // Some people give their requirements ids all the same.
    const own = splitFirstId(name)?.written;
    const names = own === undefined ? [name] : [name, own];
    const origin = { names, file, capability, line, story: whole };
    found.set(id, { id, written: id, title: "", ...origin, mentions: [], isOutOfScope: false });
  };
  for (const { name, section, scenarios } of readBlocks(readMarkdown(text)).blocks) {
    const id = `${capability}: ${name}`;
    add(id, name, section.line);
    for (const one of scenarios) add(`${id} / ${one.name}`, one.name, one.line, id);
  }
  return [...found.values()];
}

/** What OpenSpec itself would refuse in a delta, or not see. */
export function checkDelta(text: string): LineDiagnostic[] {
  const lines = readMarkdown(text);
  const { blocks, operations } = readBlocks(lines);
  const report = (code: string, message: string, fix: string, line: number): LineDiagnostic => ({
    severity: "error",
    code,
    message,
    fix,
    line,
  });
  const [first] = operations;
  if (first === undefined)
    return [
      report(
        "delta-missing",
        "It says nothing about requirements.",
        'Add "## ADDED Requirements", or MODIFIED, REMOVED or RENAMED.',
        1,
      ),
    ];
  const isRename = operations.some(({ title }) => /^renamed/i.test(title));
  if (blocks.length === 0 && !isRename)
    return [
      report(
        "requirement-missing",
        `There is no requirement below "${first.title}".`,
        'Each one begins with "### Requirement: <name>".',
        first.line,
      ),
    ];
  return blocks
    .filter(({ operation }) => operation !== "removed")
    .flatMap(({ name, section, scenarios }) => {
      const shown = oneLine(name, 60);
      const end = scenarios[0]?.line ?? section.endLine + 1;
      const body = lines.slice(section.line, end - 1).map((line) => line.text);
      return [
        ...(scenarios.length > 0
          ? []
          : [
              report(
                "scenario-missing",
                `"${shown}" has no scenario.`,
                'Add "#### Scenario: <name>" with WHEN and THEN.',
                section.line,
              ),
            ]),
        ...(body.some((line) => /\b(?:SHALL|MUST)\b/.test(line))
          ? []
          : [
              report(
                "not-normative",
                `"${shown}" does not say what SHALL or MUST be.`,
                "Say it in the line below its heading.",
                section.line,
              ),
            ]),
      ];
    });
}
