import { settings } from "./settings";

export class ApiError extends Error {
  constructor(public status: number, url: string) {
    super(`request to ${url} failed: ${status}`);
  }
}

export async function api<T>(path: string, query: Record<string, string> = {}): Promise<T> {
  const qs = new URLSearchParams(query).toString();
  const url = settings.talent.root + path + (qs ? `?${qs}` : "");
  const res = await fetch(url, { headers: { "X-API-KEY": settings.talent.key } });
  if (!res.ok) throw new ApiError(res.status, url);
  return (await res.json()) as T;
}

export async function github<T>(path: string): Promise<T> {
  const res = await fetch(`https://api.github.com${path}`);
  return res.json();
}
