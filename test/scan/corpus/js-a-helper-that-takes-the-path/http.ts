const BASE = "https://api.example.com/api/v1";

export async function request<T>(path: string): Promise<T> {
  const response = await fetch(`${BASE}${path}`, { headers: { "X-API-KEY": process.env.KEY ?? "" } });
  if (!response.ok) throw new Error(`request failed: ${response.status}`);
  return (await response.json()) as T;
}
