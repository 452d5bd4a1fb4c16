type Opts = { base?: string; key?: string; fetch?: typeof fetch };
export function createClient({ base = process.env.REP!, key, fetch: f = fetch }: Opts = {}) {
  const call = async (path: string, query: Record<string, string> = {}) => {
    const url = new URL(path, base);
    Object.entries(query).forEach(([k, v]) => url.searchParams.append(k, v));
    const res = await f(url.toString(), { headers: key ? { "X-API-KEY": key } : {} });
    if (res.status === 404) return null; // hazard: status-default
    if (!res.ok) throw new HttpError(res);
    return res.json();
  };
  return {
    passport: (id: string) => call(`/api/v1/passports/${id}`).then((b) => b?.passport), // call: passport
    passports: (keyword: string) => call("/api/v1/passports", { keyword }), // call: passport-list
    async *pages() { for (let page = 1; ; page++) { const b = await call("/api/v1/passports", { page: String(page) }); yield b.passports; if (b.pagination.last_page === page) return; } }, // call: passport-list; read: pagination.last_page
    credentials: async (id: number) => { const { passport_credentials = [] } = await call("/api/v1/passport_credentials", { passport_id: `${id}` }); return passport_credentials; }, // call: passport-credentials; hazard: fallback-default
  };
}
export type Client = ReturnType<typeof createClient>;
export class HttpError extends Error { constructor(readonly res: Response) { super(String(res.status)); } }
