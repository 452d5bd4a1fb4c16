export class UpstreamError extends Error {
  constructor(public readonly status: number, message: string) {
    super(message);
  }
}

export function createClient(baseUrl: string, key: string) {
  async function apiGet<T>(path: string, query: Record<string, string> = {}): Promise<T> {
    const url = new URL(path, baseUrl);
    Object.entries(query).forEach(([k, v]) => url.searchParams.append(k, v));
    const res = await fetch(url.toString(), { headers: { 'X-API-KEY': key } });
    if (!res.ok) {
      throw new UpstreamError(res.status, `upstream answered ${res.status}`);
    }
    return (await res.json()) as T;
  }

  return {
    listPassports: (keyword: string) => apiGet<any>('/api/v1/passports', { keyword }), // call: passport-list
    getPassport: (id: string) => apiGet<any>(`/api/v1/passports/${id}`), // call: passport
    getCredentials: (id: string) =>
      apiGet<any>('/api/v1/passport_credentials', { passport_id: id }), // call: passport-credentials
    // the newer API, used for a part of the traffic
    getProfile: (id: string) => apiGet<any>('/profile', { id, account_source: 'wallet' }),
  };
}
