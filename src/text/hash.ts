/** FNV-1a: short, and free of `node:crypto`, whose loading alone would cost the hook milliseconds. */
export function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  return (value >>> 0).toString(36);
}

/** SHA-256 in hexadecimal, for names: of short texts only, for which loading `node:crypto` takes longer. */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const blocks = new DataView(new ArrayBuffer((((bytes.length + 8) >> 6) << 6) + 64));
  for (const [i, byte] of bytes.entries()) blocks.setUint8(i, byte);
  blocks.setUint8(bytes.length, 0x80);
  blocks.setUint32(blocks.byteLength - 4, bytes.length * 8);
  const { roots, constants } = primeRoots();
  const sums = roots.slice(0, 8);
  for (let at = 0; at < blocks.byteLength; at += 64) {
    const w = Array.from({ length: 16 }, (_, i) => blocks.getInt32(at + 4 * i));
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = sums;
    for (let i = 0; i < 64; i++) {
      if (i >= 16) {
        const [first = 0, last = 0] = [w[i - 15], w[i - 2]];
        const low = turn(first, 7) ^ turn(first, 18) ^ (first >>> 3);
        const high = turn(last, 17) ^ turn(last, 19) ^ (last >>> 10);
        w[i] = ((w[i - 16] ?? 0) + low + (w[i - 7] ?? 0) + high) | 0;
      }
      const choice = (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g));
      const major = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      const sum = h + choice + (constants[i] ?? 0) + (w[i] ?? 0);
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + sum) | 0, c, b, a, (sum + major) | 0];
    }
    for (const [i, value] of [a, b, c, d, e, f, g, h].entries())
      sums[i] = ((sums[i] ?? 0) + value) | 0;
  }
  return sums.map((sum) => (sum >>> 0).toString(16).padStart(8, "0")).join("");
}

const turn = (value: number, by: number): number => (value >>> by) | (value << (32 - by));

/** What the standard takes from the first 64 primes: the fractions of their square and cube roots. */
function primeRoots(): { roots: number[]; constants: number[] } {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++)
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const fraction = (root: number): number => ((root % 1) * 2 ** 32) | 0;
  return {
    roots: primes.map((prime) => fraction(Math.sqrt(prime))),
    constants: primes.map((prime) => fraction(Math.cbrt(prime))),
  };
}
