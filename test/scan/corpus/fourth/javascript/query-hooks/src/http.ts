const root: string = import.meta.env.VITE_REP_URL ?? "https://rep.example.org";

let token = "";
export function setToken(value: string) {
  token = value;
}

export async function http(path: string): Promise<any> {
  const res = await fetch(root + path, {
    headers: token ? { "X-API-KEY": token } : {},
  });
  if (!res.ok) {
    throw new Error(`HTTP ${res.status} on ${path}`);
  }
  return res.json();
}
