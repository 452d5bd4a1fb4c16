const base = process.env.API_BASE!;

export async function api<T = any>(path: string, init: RequestInit = {}): Promise<T> {
  const res = await fetch(`${base}${path}`, { ...init, headers: { "X-API-KEY": process.env.KEY! } });
  if (!res.ok) throw new Error(`HTTP ${res.status}`);
  return res.json();
}
