import type { Holder, HolderPort } from "./port";
export class V1Holders implements HolderPort {
  constructor(private readonly get: (path: string) => Promise<any>) {}
  async byWallet(w: string): Promise<Holder> {
    const body = await this.get(`/api/v1/passports/${w}`); // call: passport
    return body.passport;
  }
  async all() { return (await this.get("/api/v1/passports")).passports as Holder[]; } // call: passport-list
}
