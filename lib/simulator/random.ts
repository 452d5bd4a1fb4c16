/** A bijective hash of 32-bit integers. */
export function mixBits(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** The inverse of `mixBits`. Its factors are the inverses of the factors there, modulo 2^32. */
export function unmixBits(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7ed1b41d);
  x = Math.imul(x ^ (x >>> 13) ^ (x >>> 26), 0xa5cb9243);
  return (x ^ (x >>> 16)) >>> 0;
}

export function hash(seed: number, index: number, salt: number): number {
  return mixBits(mixBits(mixBits(seed) ^ index) + Math.imul(salt, 0x9e3779b9));
}

export function hashText(text: string): number {
  let x = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) x = Math.imul(x ^ text.charCodeAt(i), 0x01000193);
  return mixBits(x);
}

/** A deterministic pseudo-random number, uniform in [0, 1). */
export function uniform(seed: number, index: number, salt: number): number {
  return hash(seed, index, salt) / 2 ** 32;
}

export function pick<T>(list: readonly T[], seed: number, index: number, salt: number): T {
  return list[hash(seed, index, salt) % list.length] as T;
}
