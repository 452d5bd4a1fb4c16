import ky, { HTTPError } from "ky";
import { cached } from "./cache.js";
import { config } from "./config.js";

const http = ky.create({
  prefixUrl: `${config.host}/api/v1`,
  headers: config.key ? { "X-API-KEY": config.key } : {},
  retry: 1,
});

export interface PassportRecord {
  passport_id: number;
  score: number;
  main_wallet: string;
  human_checkmark: boolean;
  connections_count?: number;
  passport_profile: { display_name: string; location: string; tags: string[] } | null;
  passport_socials?: Array<Record<string, string>>;
}

export interface CredentialRecord {
  type: string;
  name: string;
  score: number;
  max_score: number;
  category: "Activity" | "Identity" | "Skills";
}

export const api = {
  passport: (id: string) =>
    cached(`passport/${id}`, async () => {
      const body = await http.get(`passports/${id}`).json<{ passport: PassportRecord }>();
      return body.passport;
    }),

  search: (keyword: string) =>
    http
      .get("passports", { searchParams: { keyword } })
      .json<{ passports: PassportRecord[] }>()
      .then((b) => b.passports),

  credentials: (passportId: number) =>
    cached(`credentials/${passportId}`, () =>
      http
        .get("passport_credentials", { searchParams: { passport_id: String(passportId) } })
        .json<{ passport_credentials: CredentialRecord[] }>()
        .then((b) => b.passport_credentials)
    ),
};

export function explain(error: unknown): string {
  if (error instanceof HTTPError) {
    const { status } = error.response;
    if (status === 401) return "The API key was refused (set WHOBUILDS_KEY)";
    if (status === 404) return "Nobody there";
    return `The API answered ${status}`;
  }
  return String(error);
}
