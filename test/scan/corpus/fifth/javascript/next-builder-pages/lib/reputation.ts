import { cache } from "react";

const BASE = process.env.REPUTATION_URL!;
const KEY = process.env.REPUTATION_KEY ?? "";

export type Social = {
  source: string;
  profile_name: string | null;
  profile_url: string | null;
  follower_count: string | null;
};

export type BuilderPassport = {
  passport_id: number; // hazard: integer-id
  score: number | null;
  human_checkmark: boolean;
  main_wallet: string | null;
  verified_wallets: string[];
  passport_profile: { display_name: string | null; bio: string | null; tags: string[] };
  passport_socials: Social[];
};

export const loadBuilder = cache(async (wallet: string): Promise<BuilderPassport | null> => {
  const res = await fetch(`${BASE}/api/v1/passports/${wallet}`, { // call: passport
    headers: { "X-API-KEY": KEY },
    next: { revalidate: 3600 },
  });
  if (!res.ok) return null; // hazard: status-default
  const { passport } = (await res.json()) as { passport: BuilderPassport };
  return passport;
});

export async function loadGithub(login: string) {
  const res = await fetch(`https://api.github.com/users/${login}`);
  if (!res.ok) return null;
  const user = await res.json();
  return { followers: user.followers ?? 0, bio: user.bio, location: user.location };
}
