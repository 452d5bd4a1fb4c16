import { TalentApiError } from './errors';
import type { Passport, PassportCredential, PassportList } from './types';

export interface ClientOptions {
  apiKey?: string;
  baseUrl?: string;
  fetch?: typeof fetch;
}

export class TalentPassportClient {
  static readonly DEFAULT_BASE_URL = 'https://api.talentprotocol.com/api/v1';
  readonly #fetch: typeof fetch;
  readonly #baseUrl: string;
  readonly #apiKey?: string;

  constructor({ apiKey, baseUrl = TalentPassportClient.DEFAULT_BASE_URL, fetch: f = globalThis.fetch }: ClientOptions = {}) {
    this.#apiKey = apiKey;
    this.#baseUrl = baseUrl.replace(/\/$/, '');
    this.#fetch = f;
  }

  async listPassports(query: { keyword?: string; page?: number } = {}): Promise<PassportList> {
    return this.request<PassportList>('/passports', query);
  }

  async *iteratePassports(keyword?: string): AsyncGenerator<Passport> {
    for (let page = 1; ; page++) {
      const { passports, pagination } = await this.listPassports({ keyword, page });
      yield* passports;
      if (pagination.current_page >= pagination.last_page) return;
    }
  }

  async getPassport(id: number | string): Promise<Passport> {
    const { passport } = await this.request<{ passport: Passport }>(`/passports/${id}`);
    return passport;
  }

  async getCredentials(passportId: number | string): Promise<PassportCredential[]> {
    const body = await this.request<{ passport_credentials: PassportCredential[] }>('/passport_credentials', {
      passport_id: passportId,
    });
    return body.passport_credentials;
  }

  private async request<T>(path: string, query: Record<string, string | number | undefined> = {}): Promise<T> {
    const url = new URL(this.#baseUrl + path);
    for (const [k, v] of Object.entries(query)) if (v !== undefined) url.searchParams.set(k, String(v));
    const res = await this.#fetch(url, { headers: this.#apiKey ? { 'X-API-KEY': this.#apiKey } : {} });
    if (!res.ok) throw new TalentApiError(res.status, path);
    return (await res.json()) as T;
  }
}
