import "server-only";
import { unstable_cache } from "next/cache";

const BASE = `${process.env.PASSPORT_API_BASE}/api/v1`;

export class PassportApiError extends Error {
  constructor(public status: number, path: string) {
    super(`passport api answered ${status} for ${path}`);
  }
}

async function request<T>(path: string, attempt = 0): Promise<T> {
  const res = await fetch(BASE + path, {
    headers: { "X-API-KEY": process.env.PASSPORT_API_KEY! },
    cache: "no-store",
  });
  if (res.status === 429 && attempt < 3) {
    await new Promise((r) => setTimeout(r, 500 * 2 ** attempt));
    return request<T>(path, attempt + 1);
  }
  if (!res.ok) throw new PassportApiError(res.status, path);
  return res.json() as Promise<T>;
}

export interface Social {
  source: string;
  profile_name: string | null;
  profile_url: string | null;
  follower_count: string | null;
}

export interface Passport {
  passport_id: number;
  score: number;
  skills_score: number;
  identity_score: number;
  human_checkmark: boolean;
  last_calculated_at: string | null;
  verified_wallets: string[];
  passport_profile: { display_name: string; bio: string; location: string; tags: string[] };
  passport_socials: Social[];
}

export interface Credential {
  id: string;
  name: string;
  type: string;
  value: string | null;
  earned_at: string | null;
}

export const getPassport = unstable_cache(
  async (wallet: string) => {
    const body = await request<{ passport: Passport }>(`/passports/${wallet}`);
    return body.passport;
  },
  ["passport"],
  { revalidate: 600 }
);

export async function getCredentials(passportId: number) {
  const params = new URLSearchParams({ passport_id: String(passportId) });
  const { passport_credentials } = await request<{ passport_credentials: Credential[] }>(
    `/passport_credentials?${params}`
  );
  return passport_credentials;
}
