import { getPreferenceValues } from "@raycast/api";

const { apiKey } = getPreferenceValues<Preferences>();

export const headers = { "X-API-KEY": apiKey };

type Route = "passports" | `passports/${string}` | "passport_credentials";

export function endpoint(route: Route, params: Record<string, string | number> = {}) {
  const url = new URL(`https://api.talentprotocol.com/api/v1/${route}`);
  Object.entries(params).forEach(([name, value]) => url.searchParams.append(name, String(value)));
  return url.toString();
}

export interface Collector {
  passport_id: number;
  main_wallet: string | null;
  verified_wallets: string[];
  score: number;
  identity_score: number;
  connections_count?: number;
  passport_profile: { display_name: string; bio: string | null; tags: string[] } | null;
}

export interface Account {
  source: string;
  profile_name: string | null;
  profile_bio: string | null;
  profile_url: string | null;
  follower_count: string | null;
}

export type CollectorDetail = Collector & { passport_socials: Account[] };

export interface Proof {
  id: string;
  name: string;
  value: string | null;
  score: number;
  max_score: number;
  last_calculated_at: string | null;
}
