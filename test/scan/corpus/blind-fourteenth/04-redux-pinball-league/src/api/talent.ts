export interface ApiPassport {
  passport_id: number
  main_wallet: string
  score: number
  activity_score: number
  calculating_score: boolean
  human_checkmark: boolean
  connections_count?: number
  passport_profile: { display_name: string; tags: string[] }
}

export interface ApiPagination {
  current_page: number
  last_page: number
  total: number
}

const { VITE_TALENT_URL, VITE_TALENT_KEY } = import.meta.env

export class HttpError extends Error {
  constructor(public status: number, message: string) {
    super(message)
  }
}

export async function apiGet<T>(path: string, signal?: AbortSignal): Promise<T> {
  const res = await fetch(VITE_TALENT_URL + path, {
    signal,
    headers: VITE_TALENT_KEY ? { 'X-API-KEY': VITE_TALENT_KEY } : undefined,
  })
  if (!res.ok) throw new HttpError(res.status, await res.text())
  return (await res.json()) as T
}
