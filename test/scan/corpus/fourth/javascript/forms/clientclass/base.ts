export abstract class BaseClient {
  protected constructor(protected readonly opts: { baseUrl: string; key?: string }) {}
  protected async request<T>(method: string, path: string, query?: Record<string, string>): Promise<T> {
    const url = new URL(path, this.opts.baseUrl);
    Object.entries(query ?? {}).forEach(([k, v]) => url.searchParams.append(k, v));
    const res = await fetch(url.toString(), { method, headers: this.headers() });
    if (!res.ok) throw new Error(String(res.status));
    return (await res.json()) as T;
  }
  private headers() { return { "X-API-KEY": this.opts.key ?? "" }; }
}
