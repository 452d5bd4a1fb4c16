export abstract class BaseClient {
  protected constructor(protected readonly origin: string, protected readonly prefix: string) {}

  protected async request<R>(segments: Array<string | number>, query?: Record<string, string>): Promise<R> {
    const url = new URL([this.prefix, ...segments].join("/"), this.origin);
    for (const [k, v] of Object.entries(query ?? {})) {
      url.searchParams.set(k, v);
    }
    const res = await fetch(url, { headers: this.headers() });
    if (!res.ok) throw new Error(String(res.status));
    return (await res.json()) as R;
  }

  protected headers(): Record<string, string> {
    return { accept: "application/json" };
  }
}
