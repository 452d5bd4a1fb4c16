export class ReputationClient {
  private readonly base: string;
  constructor(
    host: string,
    private key: string,
  ) {
    this.base = `${host}/api/v1`;
  }

  private async get(path: string) {
    const res = await fetch(this.base + path, { headers: { "X-API-KEY": this.key } });
    return res.json();
  }

  async passport(id: string) {
    return (await this.get("/passports/" + id)).passport; // call: passport
  }

  async credentials(id: string) {
    const body = await this.get(`/passport_credentials?passport_id=${id}`); // call: passport-credentials
    return body.passport_credentials;
  }

  async identity(id: string): Promise<number> {
    const holder = await this.passport(id);
    return holder.identity_score; // read: passport.identity_score
  }
}
