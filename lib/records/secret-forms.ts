const bare = /^(?=.*\d)(?=.*[a-z])(?!0x)[a-z0-9]{20,200}$/i;
const prefixed = /^[a-z]{1,8}[_-](?:[a-z]{1,8}[_-])?(?=[a-z]*\d)[a-z0-9]{16,200}$/i;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function looksLikeKey(text: string): boolean {
  return bare.test(text) || prefixed.test(text) || uuid.test(text);
}

/**
 * Shows the last four characters, which distinguish two keys. Shows nothing of a key shorter than 12
 * characters.
 */
export function maskKey(key: string): string {
  return key.length >= 12 && /^[\x21-\x7e]{4}$/.test(key.slice(-4)) ? `…${key.slice(-4)}` : "…";
}
