import { cache } from "react";

const API_URL = process.env.REPUTATION_API_URL ?? "https://api.reputation.example";

export interface PassportSocial {
  source: string;
  profile_name: string | null;
  profile_url: string | null;
  follower_count: string | null;
}

export interface Passport {
  passport_id: number; // hazard: integer-id
  score: number;
  human_checkmark: boolean;
  main_wallet: string;
  verified_wallets: string[];
  passport_profile: { display_name: string; bio: string; location: string; tags: string[] } | null;
  passport_socials: PassportSocial[];
}

export interface Credential {
  id: string;
  name: string;
  category: string;
  score: number;
  max_score: number;
}

const headers = { "X-API-KEY": process.env.REPUTATION_API_KEY ?? "" };

export const getPassport = cache(async (wallet: string): Promise<Passport | null> => {
  const res = await fetch(`${API_URL}/api/v1/passports/${wallet}`, { // call: passport
    headers,
    next: { revalidate: 3600 },
  });
  if (!res.ok) return null; // hazard: status-default
  const data = (await res.json()) as { passport: Passport };
  return data.passport;
});

export async function getCredentials(passportId: number): Promise<Credential[]> {
  const params = new URLSearchParams({ passport_id: String(passportId) });
  const res = await fetch(`${API_URL}/api/v1/passport_credentials?${params}`, { headers }); // call: passport-credentials
  if (!res.ok) {
    throw new Error(`credentials request failed: ${res.status}`);
  }
  const { passport_credentials } = await res.json();
  return passport_credentials;
}
