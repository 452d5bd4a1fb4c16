import { reputation, travelDesk } from "./http";

export interface Badge {
  owner: string;
  score: number;
  human: boolean;
}

export async function loadBadge(wallet: string): Promise<Badge | null> {
  try {
    const { data } = await reputation.get(`/passports/${wallet}`); // call: passport
    const p = data.passport;
    return {
      owner: p.passport_profile?.display_name ?? p.main_wallet, // read: passport.passport_profile.display_name, passport.main_wallet
      score: p.score ?? 0, // read: passport.score; hazard: fallback-default
      human: p.human_checkmark === true, // read: passport.human_checkmark
    };
  } catch (err) { // hazard: catch-default
    return null;
  }
}

export async function expiry(documentNumber: string): Promise<string> {
  const { data } = await travelDesk.get(`/passport/${documentNumber}`);
  return `${data.passport.expires_on} ${data.passport.location}`;
}

export function better(a: Badge, b: Badge): Badge {
  return a.score >= b.score ? a : b;
}
