const API_BASE = import.meta.env.VITE_TALENT_API_BASE as string

export async function apiGet<T>(path: string, params?: Record<string, string | number | undefined>): Promise<T> {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(params ?? {})) {
    if (value !== undefined && value !== '') search.set(key, String(value))
  }
  const query = search.size ? `?${search}` : ''
  const response = await fetch(`${API_BASE}/api/v1${path}${query}`, {
    headers: { 'X-API-KEY': import.meta.env.VITE_TALENT_API_KEY },
  })
  if (!response.ok) {
    throw new Error(response.status === 401 ? 'API key rejected' : `Request failed: ${response.status}`)
  }
  return response.json()
}
