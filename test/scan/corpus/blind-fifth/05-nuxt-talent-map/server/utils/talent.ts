import type { H3Event } from 'h3'

export function talentFetch<T>(event: H3Event, path: string, query: Record<string, any> = {}) {
  const { talentUrl, talentKey } = useRuntimeConfig(event)
  return $fetch<T>(path, {
    baseURL: `${talentUrl}/api/v1`,
    headers: { 'X-API-KEY': talentKey },
    query,
    retry: 2,
    timeout: 8000,
  })
}
