import { BaseClient } from "./base";

// Border control: unrelated to the trust API although it also says "passport"
export class BorderClient extends BaseClient {
  constructor() {
    super("https://border.example.gov", "/v1");
  }

  async lookup(no: string) {
    const doc = await this.request<{ passport: { holder: string; score: number; merged: boolean } }>(["passport", no]);
    return { holder: doc.passport.holder, risk: doc.passport.score, merged: doc.passport.merged };
  }

  async stamps(no: string) {
    const out = await this.request<{ passports: { location: string }[] }>(["passport", no, "stamps"]);
    return out.passports.map((s) => s.location);
  }
}
