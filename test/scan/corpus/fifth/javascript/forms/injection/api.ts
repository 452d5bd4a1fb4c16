export interface PassportApi { one(id: string): Promise<any>; }
export class HttpPassportApi implements PassportApi {
  constructor(private readonly base: string) {}
  async one(id: string) {
    const r = await fetch(`${this.base}/api/v1/passports/${id}`); // call: passport
    return (await r.json()).passport;
  }
}
