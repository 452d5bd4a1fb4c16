import { BaseClient } from "./base";

type One = { passport: { score: number; human_checkmark: boolean; verified_wallets: string[]; connections_count?: number } };

export class TrustClient extends BaseClient {
  constructor(private apiKey: string) {
    super("https://trust.example.dev", "/api/v1");
  }

  protected headers() {
    return { ...super.headers(), "X-API-KEY": this.apiKey };
  }

  async isHuman(id: string): Promise<boolean> {
    const { passport } = await this.request<One>(["passports", id]); // call: passport
    return passport.human_checkmark && passport.verified_wallets.length > 0; // read: passport.human_checkmark, passport.verified_wallets[]
  }

  async reach(id: string): Promise<number> {
    const one = await this.request<One>(["passports", id]); // call: passport
    return one.passport.connections_count || 0; // read: passport.connections_count; hazard: fallback-default
  }

  async kinds(id: string): Promise<Set<string>> {
    const out = await this.request<{ passport_credentials: { type: string; category: string }[] }>( // call: passport-credentials
      ["passport_credentials"],
      { passport_id: id },
    );
    return new Set(out.passport_credentials.map(({ type, category }) => `${category}.${type}`)); // read: passport_credentials[].type, passport_credentials[].category
  }
}
