import type { Passport, PassportList, Credential } from "./types";

export class ReputationClient {
  private readonly base: string;

  constructor(private readonly key: string, base = "https://api.rep.example.org") {
    this.base = base.replace(/\/$/, "");
  }

  private async get<T>(path: string): Promise<T> {
    const res = await fetch(`${this.base}/api/v1${path}`, { headers: { "X-API-KEY": this.key } });
    if (!res.ok) {
      throw new Error(`${path}: ${res.status}`);
    }
    return res.json() as Promise<T>;
  }

  async passports(keyword?: string): Promise<PassportList> {
    return this.get<PassportList>("/passports" + (keyword ? `?keyword=${keyword}` : "")); // call: passport-list
  }

  async passport(id: string | number): Promise<Passport> {
    const body = await this.get<{ passport: Passport }>(`/passports/${id}`); // call: passport
    return body.passport;
  }

  async credentials(id: string): Promise<Credential[]> {
    const body = await this.get<{ passport_credentials: Credential[] }>( // call: passport-credentials
      `/passport_credentials?passport_id=${id}`,
    );
    return body.passport_credentials;
  }
}
