import 'server-only'

const { TALENT_PROTOCOL_URL, TALENT_PROTOCOL_KEY } = process.env

export class UpstreamError extends Error {
  constructor(
    readonly status: number,
    readonly path: string,
  ) {
    super(`${path} answered ${status}`)
  }
}

export async function talentFetch<T>(path: string, revalidate = 300): Promise<T> {
  const res = await fetch(`${TALENT_PROTOCOL_URL}/api/v1${path}`, {
    headers: { 'X-API-KEY': TALENT_PROTOCOL_KEY ?? '' },
    next: { revalidate },
  })
  if (!res.ok) throw new UpstreamError(res.status, path)
  return (await res.json()) as T
}
