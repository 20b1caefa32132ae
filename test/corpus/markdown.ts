import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";

/** A task list item as an independent Markdown parser sees it. */
export interface MarkdownBox {
  readonly line: number;
  readonly endLine: number;
  readonly checked: boolean;
  /** Stands in another list item. */
  readonly nested: boolean;
}

type Root = ReturnType<typeof fromMarkdown>;
type Node = Root | Root["children"][number];

const BOX = /\[[ xX]\][ \t]+\S/;

/**
 * The task list items of a text, without those that are none to us: what a quote holds, and a box
 * with nothing after it or on another line than its bullet.
 */
export function markdownBoxes(text: string): MarkdownBox[] {
  const root = fromMarkdown(text, {
    extensions: [gfmTaskListItem()],
    mdastExtensions: [gfmTaskListItemFromMarkdown()],
  });
  const lines = text.split(/\r\n|\n/);
  const boxes: MarkdownBox[] = [];
  const visit = (node: Node, depth: number): void => {
    if (node.type === "blockquote" || !("children" in node)) return;
    if (node.type === "listItem" && typeof node.checked === "boolean") {
      const line = node.position?.start.line as number;
      const [first] = node.children;
      const isText = first?.type === "paragraph" && first.position?.start.line === line;
      if (isText && BOX.test(lines[line - 1] as string)) {
        boxes.push({ line, endLine: lastLine(node), checked: node.checked, nested: depth > 1 });
      }
    }
    for (const child of node.children) visit(child, node.type === "list" ? depth + 1 : depth);
  };
  visit(root, 0);
  return boxes;
}

/** The end of its innermost last part: that of an item is too far if a fence in it is not closed. */
function lastLine(
  node: Node | { readonly type: string; readonly position?: Node["position"] },
): number {
  const last = "children" in node ? node.children.at(-1) : undefined;
  if (last !== undefined) return lastLine(last);
  const end = node.position?.end;
  return end === undefined ? 0 : end.column === 1 ? end.line - 1 : end.line;
}
