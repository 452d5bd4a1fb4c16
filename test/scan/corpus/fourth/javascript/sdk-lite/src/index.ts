/**
 * Public entry of the kit.
 *
 * Covered endpoints:
 *   GET /api/v1/passports
 *   GET /api/v1/passports/{id}
 *   GET /api/v1/passport_credentials
 */
export { ReputationClient } from "./client";
export type { Credential, Passport, PassportList, Profile } from "./types";

export const VERSION = "0.4.1";

export function userAgent(app: string): string {
  return `${app} sdk-lite/${VERSION}`;
}
