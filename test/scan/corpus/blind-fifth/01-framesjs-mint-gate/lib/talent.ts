const TALENT_API = process.env.TALENT_API_URL ?? "https://api.talentprotocol.com";

export type TalentPassport = {
  passport_id: number;
  score: number;
  activity_score: number;
  human_checkmark: boolean;
  calculating_score: boolean;
  main_wallet: string | null;
  verified_wallets: string[];
  passport_profile: {
    display_name: string | null;
    bio: string | null;
  } | null;
};

const headers = {
  Accept: "application/json",
  "X-API-KEY": process.env.TALENT_API_KEY ?? "",
};

export async function fetchPassport(wallet: string): Promise<TalentPassport | null> {
  const res = await fetch(`${TALENT_API}/api/v1/passports/${wallet}`, {
    headers,
    next: { revalidate: 300 },
  });
  if (!res.ok) {
    console.error(`[talent] ${wallet} -> ${res.status}`);
    return null;
  }
  const { passport } = await res.json();
  return passport;
}

/** A user may have verified more than one wallet; take the passport with the highest score. */
export async function bestPassport(wallets: string[]) {
  const found = await Promise.all(wallets.map((w) => fetchPassport(w.toLowerCase())));
  const passports = found.filter((p): p is TalentPassport => p !== null);
  passports.sort((a, b) => b.score - a.score);
  return passports[0];
}

export async function countSkills(passportId: number): Promise<number> {
  try {
    const url = `${TALENT_API}/api/v1/passport_credentials?passport_id=${passportId}`;
    const res = await fetch(url, { headers });
    if (!res.ok) throw new Error(`talent credentials ${res.status}`);
    const body = await res.json();
    return body.passport_credentials.filter(
      (c: { category: string; score: number }) => c.category === "Skills" && c.score > 0
    ).length;
  } catch (e) {
    console.warn("could not load credentials", e);
    return 0;
  }
}
