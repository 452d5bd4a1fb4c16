type Social = { source: string; follower_count: number; profile_name: string }; // hazard: string-number
type PassportDto = { passport_id: number; main_wallet: string; passport_socials: Social[] }; // hazard: integer-id

export class PassportRepo {
  #cache = new Map<string, PassportDto>();
  constructor(private readonly fetcher = globalThis.fetch) {}

  async byWallet(wallet: string): Promise<PassportDto | undefined> {
    const hit = this.#cache.get(wallet);
    if (hit) return hit;
    const res = await this.fetcher(`${import.meta.env.VITE_API}/api/v1/passports/${wallet}`); // call: passport
    if (res.status >= 400) return undefined; // hazard: status-default
    const { passport } = (await res.json()) as { passport: PassportDto };
    this.#cache.set(wallet, passport);
    return passport;
  }

  async followers(wallet: string) {
    const dto = await this.byWallet(wallet);
    return dto?.passport_socials.map((s) => s.follower_count).reduce((a, b) => a + b, 0) ?? 0; // read: passport.passport_socials, passport.passport_socials[].follower_count; hazard: string-number
  }
}
