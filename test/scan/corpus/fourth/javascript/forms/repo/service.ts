import type { HolderPort } from "./port";
export class Service {
  constructor(private readonly holders: HolderPort) {}
  async best(w: string) {
    const h = await this.holders.byWallet(w);
    return h.score > 10 ? h.verified_wallets : []; // read: passport.score, passport.verified_wallets[]; hazard: fallback-default
  }
}
