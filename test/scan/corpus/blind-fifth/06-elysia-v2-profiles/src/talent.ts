// Talent API V2 (moved from the old passports endpoints in January)
const BASE = Bun.env.TALENT_API_URL ?? "https://api.talentprotocol.com";

export class UpstreamError extends Error {
  constructor(readonly status: number) {
    super(`talent api ${status}`);
  }
}

export interface Profile {
  id: string;
  name: string | null;
  display_name: string | null;
  bio: string | null;
  location: string | null;
  image_url: string | null;
  human_checkmark: boolean;
  tags: string[];
}

export interface BuilderScore {
  points: number;
  last_calculated_at: string | null;
}

export interface Credential {
  slug: string;
  name: string;
  category: string;
  points: number;
  max_score: number;
  readable_value: string | null;
  data_issuer_slug: string;
}

export interface Social {
  source: string;
  handle: string;
  followers_count: number | null;
  profile_url: string | null;
}

async function get<T>(path: string, id: string, source = "wallet"): Promise<T> {
  const url = new URL(path, BASE);
  url.searchParams.set("id", id);
  url.searchParams.set("account_source", source);
  const res = await fetch(url, { headers: { "X-API-KEY": Bun.env.TALENT_API_KEY! } });
  if (!res.ok) throw new UpstreamError(res.status);
  return (await res.json()) as T;
}

export const getProfile = (id: string) => get<{ profile: Profile }>("/profile", id).then((r) => r.profile);
export const getScore = (id: string) => get<{ score: BuilderScore }>("/score", id).then((r) => r.score);
export const getSocials = (id: string) => get<{ socials: Social[] }>("/socials", id).then((r) => r.socials);

export async function getCredentials(id: string): Promise<Credential[]> {
  try {
    const { credentials } = await get<{ credentials: Credential[] }>("/credentials", id);
    return credentials.filter((c) => c.points > 0);
  } catch {
    return [];
  }
}
