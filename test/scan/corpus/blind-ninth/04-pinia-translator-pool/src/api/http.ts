export class HttpError extends Error {
  constructor(public status: number, message: string) {
    super(message)
  }
}

export async function getJson<T>(url: string, params?: Record<string, string | number>): Promise<T> {
  const query = params ? `?${new URLSearchParams(Object.entries(params).map(([k, v]) => [k, String(v)]))}` : ''
  const res = await fetch(url + query, { headers: { Accept: 'application/json' } })
  if (!res.ok) throw new HttpError(res.status, `${url}: ${res.statusText}`)
  return res.json()
}
