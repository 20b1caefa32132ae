const SCREEN = {
  /** Another screen, so that what was there before comes back; no cursor, and lines are not wrapped. */
  enter: "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J",
  leave: "\u001b[?7h\u001b[?25h\u001b[?1049l",
  clear: "\u001b[2J",
  /** What comes in between is shown at once, by terminals that know how. */
  begin: "\u001b[?2026h",
  end: "\u001b[?2026l",
} as const;

export interface Painter {
  /** Shows these lines, writing only what has changed. */
  readonly show: (lines: readonly string[]) => void;
  /** Begins with an empty screen: after a resize nobody knows what is on it. */
  readonly forget: () => void;
  /** Gives the screen back, once. */
  readonly close: () => void;
}

export function openPainter(write: (text: string) => void): Painter {
  let shown: readonly string[] | undefined;
  let isOpen = true;
  write(SCREEN.enter);
  return {
    show(lines) {
      if (!isOpen) return;
      const begin = shown === undefined ? SCREEN.clear : "";
      // Cleared first: after a full line the cursor is still on its last character, which would go.
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
    forget() {
      shown = undefined;
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      write(SCREEN.leave);
    },
  };
}
