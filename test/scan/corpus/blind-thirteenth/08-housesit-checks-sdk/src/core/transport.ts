export interface TransportOptions {
  baseUrl: string
  headers?: Record<string, string>
  fetch?: typeof globalThis.fetch
}

export class TransportError extends Error {
  constructor(readonly status: number, readonly url: string) {
    super(`${status} from ${url}`)
    this.name = 'TransportError'
  }
}

export type Send = (path: string, query?: Record<string, string | number | undefined>) => Promise<unknown>

export function createTransport({ baseUrl, headers, fetch = globalThis.fetch }: TransportOptions): Send {
  return async (path, query = {}) => {
    const url = new URL(path, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`)
    for (const [key, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(key, String(value))
    }
    const response = await fetch(url, { headers })
    if (!response.ok) throw new TransportError(response.status, url.href)
    return response.json()
  }
}
