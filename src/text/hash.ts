/** FNV-1a: short, and free of `node:crypto`, whose loading alone would cost the hook milliseconds. */
export function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  return (value >>> 0).toString(36);
}
