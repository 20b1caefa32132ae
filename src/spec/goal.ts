const MAX_GOAL = 400;

/** What a spec is for: the first paragraph below `## Original Goal` of its progress notes. */
export const parseGoal = (progress: string): string | undefined => paragraphIn(goalLines(progress));

/** The same, as it was said: to the last word. */
export const parseWholeGoal = (progress: string): string => goalLines(progress).join("\n").trim();

function goalLines(progress: string): string[] {
  const lines = progress.split(/\r?\n/);
  const start = lines.findIndex((line) => /^##?\s+(?:Original\s+)?Goal\s*$/i.test(line)) + 1;
  if (start === 0) return [];
  const length = lines.slice(start).findIndex((line) => /^##?\s/.test(line));
  return lines.slice(start, length === -1 ? undefined : start + length);
}

/** The first paragraph of a document, on one line. */
export function firstParagraph(text: string): string | undefined {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const end = lines[0]?.trimEnd() === "---" ? lines.indexOf("---", 1) : -1;
  return paragraphIn(lines.slice(end + 1));
}

/** Prose only: no headings, tables, rules, comments and code. */
function paragraphIn(lines: readonly string[]): string | undefined {
  const said: string[] = [];
  let until: RegExp | undefined;
  for (const raw of lines) {
    const line = raw.trim();
    if (until !== undefined) {
      if (until.test(line)) until = undefined;
      continue;
    }
    // From the first box on it is about what to do, not what for.
    if (/^[-*+]\s+\[[ xX]\]/.test(line)) break;
    const isComment = line.startsWith("<!--");
    const isFence = /^(?:```|~~~)/.test(line);
    if (isComment && !line.includes("-->")) until = /-->/;
    if (isFence) until = /^(?:```|~~~)/;
    const isProse =
      line !== "" && !isComment && !isFence && !/^(?:#{1,6}\s|\||[-=*_:]+$)/.test(line);
    if (isProse) said.push(line.replace(/^(?:>\s?|[-*+]\s+)/, ""));
    else if (said.length > 0) break;
  }
  const goal = said.join(" ").replace(/\s+/g, " ").trim();
  if (goal === "") return undefined;
  return goal.length > MAX_GOAL ? `${goal.slice(0, MAX_GOAL - 1)}…` : goal;
}
