import { describe, expect, it } from "vitest";
import { splitLines } from "./blocks.ts";
import { findQuotedLines } from "./heredocs.ts";

const quoted = (text: string) => {
  const { inside, unclosed } = findQuotedLines(splitLines(text));
  return { inside: [...inside], unclosed: unclosed.map(({ line, until }) => [line, until]) };
};

describe("lines that a command quotes", () => {
  it.each<[why: string, text: string, inside: number[]]>([
    ["a here-document", "cat <<EOF\na\nb\nEOF\nc\n", [1, 2, 3]],
    ["quoted", "cat <<'EOF'\na\nEOF\n", [1, 2]],
    ["in double quotes", 'cat <<"EOF"\na\nEOF\n', [1, 2]],
    ["with a space", "cat << 'MSG' > a.md\na\nMSG\n", [1, 2]],
    ["indented", "cat <<-EOF\n\ta\n\tEOF\n", [1, 2]],
    ["of Ruby", "x = <<~SQL\na\nSQL\n", [1, 2]],
    ["in lower case, if quoted", "cat <<'end'\na\nend\n", [1, 2]],
    ["with Windows line ends", "cat <<EOF\r\na\r\nEOF\r\nb", [1, 2]],
    ["in a call", '--body "$(cat <<EOF\na\nEOF\n)"\nb\n', [1, 2, 3]],
    ["in a call that the end closes", '--body "$(cat <<EOF\na\nEOF)"\nb\n', [1, 2]],
    ["in a code span", '`gh --body "$(cat <<EOF\na\nEOF\n)"`\nb\n', [1, 2, 3]],
    ["with headings, boxes and blank lines", "<<EOF\n# A\n\n- [ ] b\n\nEOF\n", [1, 2, 3, 4, 5]],
    ["two of them", "<<EOF\na\nEOF\nb\n<<EOF\nc\nEOF\n", [1, 2, 5, 6]],
    ["one in another", "<<A\n<<B\nb\nB\na\nA\nc\n", [1, 2, 3, 4, 5]],
    ["only talked about, then real", "the <<EOF part\na\n<<EOF\nb\nEOF\n", [3, 4]],
    ["a message", '`gh pr create --body "a\n- [ ] b\nc" --draft`\nd\n', [1, 2]],
    ["a message of a commit", '`git commit -m "a\n\n- [ ] b"`\nd\n', [1, 2]],
  ])("%s: %j", (_, text, inside) => {
    expect(quoted(text).inside).toEqual(inside);
  });

  it.each<[why: string, text: string]>([
    ["no end", "cat <<EOF\na\n"],
    ["the end of another", "cat <<EOF\na\nEND\n"],
    ["an end that goes on", "cat <<EOF\na\nEOF of it\n"],
    ["a task before the end", "cat <<EOF\n- [ ] 1.2 a\nEOF\n"],
    ["a malformed task before the end", "cat <<EOF\n-[ ]T012 a\nEOF\n"],
    ["a finished task before the end", "cat <<EOF\n  - [x] **3.6a** a\nEOF\n"],
    ["a task with a plain number before the end", "cat <<EOF\n- [ ] 2. a\nEOF\n"],
    ["a span that ends on its line", "the `cat <<EOF` block\na\nEOF\n"],
    ["all on one line", "cat <<EOF a EOF\na\nEOF\n"],
    ["a shift", "1 << 2\na\n2\n"],
    ["a here-string", "cat <<<EOF\na\nEOF\n"],
    ["a stream", "cout << end\na\nend\n"],
    ["a conflict", "<<<<<<< HEAD\na\nHEAD\n"],
    ["a class", "class << self\na\nself\n"],
    ["a message that ends", '`git commit -m "a"`\nb"`\n'],
    ["a message outside a span", 'git commit -m "a\nb"`\n'],
    ["a quote that is no message", '`grep "a\nb"`\n'],
  ])("not with %s: %j", (_, text) => {
    expect(quoted(text).inside).toEqual([]);
  });

  it.each<[text: string, unclosed: number[][]]>([
    ["cat <<EOF\na\n", [[0, 2]]],
    ["a\ncat <<EOF\na\n- [ ] 1.2 b\nEOF\n", [[1, 3]]],
    ["<<EOF\na\n<<EOF\nEOF\n", [[0, 2]]],
    ["<<EOF\nEOF\n", []],
    ["<<A\n<<B\nA\nB\n", []],
  ])("%j has what is unclosed at %j", (text, unclosed) => {
    expect(quoted(text).unclosed).toEqual(unclosed);
  });
});
