const scheme = "https";
const host = process.env.REP_HOST || "rep.example.org";
const version = "v1";

export const API = `${scheme}://${host}/api/${version}`;
export const ENDPOINT = `${API}/passports`;

/**
 * Kept for the day we move: `${scheme}://${host}/api/v2/passports`
 */
export const NEXT = `${scheme}://${host}/profile`;

export function isLocal(): boolean {
  return host.startsWith("localhost");
}
