export interface ClientOptions {
  baseUrl: string;
  apiKey?: string;
  fetchImpl?: typeof fetch;
}

export interface Credential {
  id: string;
  name: string;
  type: string;
  category: string;
  score: number;
  max_score: number;
  value: string | null;
}

export class ReputationError extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

export class ReputationClient {
  readonly #base: string;
  readonly #key?: string;
  readonly #fetch: typeof fetch;

  constructor({ baseUrl, apiKey, fetchImpl = fetch }: ClientOptions) {
    this.#base = baseUrl.replace(/\/+$/, "");
    this.#key = apiKey;
    this.#fetch = fetchImpl;
  }

  async passport(idOrWallet: string | number) {
    const json = await this.#request<{ passport: any }>("passports/" + idOrWallet); // call: passport
    return json.passport;
  }

  async *passports(keyword = "") {
    for (let page = 1; ; page++) {
      const json = await this.#request<any>("passports", { keyword, page: String(page) }); // call: passport-list
      yield* json.passports;
      if (json.pagination.current_page >= json.pagination.last_page) return; // read: pagination.current_page, pagination.last_page
    }
  }

  async credentials(passportId: string): Promise<Credential[]> {
    return (
      await this.#request<{ passport_credentials: Credential[] }>("passport_credentials", { // call: passport-credentials
        passport_id: passportId,
      })
    ).passport_credentials;
  }

  async #request<T>(path: string, query: Record<string, string> = {}): Promise<T> {
    const qs = new URLSearchParams(query).toString();
    const res = await this.#fetch(`${this.#base}/api/v1/${path}${qs ? `?${qs}` : ""}`, {
      headers: this.#key ? { "X-API-KEY": this.#key } : {},
    });
    if (!res.ok) throw new ReputationError(res.status, await res.text());
    return (await res.json()) as T;
  }
}
