/** A bijection of 32-bit integers that scatters neighbours. */
export function scatter(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** The inverse of `scatter`; the factors are the inverses of its factors modulo 2^32. */
export function gather(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7ed1b41d);
  x = Math.imul(x ^ (x >>> 13) ^ (x >>> 26), 0xa5cb9243);
  return (x ^ (x >>> 16)) >>> 0;
}

export function hash(seed: number, index: number, salt: number): number {
  return scatter(scatter(scatter(seed) ^ index) + Math.imul(salt, 0x9e3779b9));
}

export function hashText(text: string): number {
  let x = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) x = Math.imul(x ^ text.charCodeAt(i), 0x01000193);
  return scatter(x);
}

/** Uniform in [0, 1). */
export function roll(seed: number, index: number, salt: number): number {
  return hash(seed, index, salt) / 2 ** 32;
}

export function pick<T>(list: readonly T[], seed: number, index: number, salt: number): T {
  return list[hash(seed, index, salt) % list.length] as T;
}
