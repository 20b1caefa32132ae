export const SCREEN = {
  /** The alternate screen, so that the old content comes back; no cursor, no line wrapping. */
  enter: "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J",
  leave: "\u001b[?7h\u001b[?25h\u001b[?1049l",
  clear: "\u001b[2J",
  /** Terminals that support it show everything in between at once. */
  begin: "\u001b[?2026h",
  end: "\u001b[?2026l",
} as const;

export function openPainter(write: (text: string) => void) {
  let shown: readonly string[] | undefined;
  let isOpen = true;
  write(SCREEN.enter);
  return {
    /** Shows these lines, writing only what has changed. */
    show(lines: readonly string[]): void {
      if (!isOpen) return;
      const begin = shown === undefined ? SCREEN.clear : "";
      // Clear first: after a full line the cursor is still on the last character, which would be erased.
      const changes = lines.flatMap((line, row) =>
        shown !== undefined && shown[row] === line ? [] : [`\u001b[${row + 1};1H\u001b[K${line}`],
      );
      const gone = (shown ?? [])
        .slice(lines.length)
        .map((_, i) => `\u001b[${lines.length + i + 1};1H\u001b[K`);
      const text = begin + [...changes, ...gone].join("");
      shown = lines;
      if (text !== "") write(SCREEN.begin + text + SCREEN.end);
    },
    /** The next frame is drawn in full: after a resize the content of the screen is unknown. */
    forget(): void {
      shown = undefined;
    },
    /** Gives the screen back; calling it again does nothing. */
    close(): void {
      if (!isOpen) return;
      isOpen = false;
      write(SCREEN.leave);
    },
  };
}
