/** A file in the repository that the build writes. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
  readonly executable?: boolean;
}

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
