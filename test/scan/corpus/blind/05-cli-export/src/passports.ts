import { HttpError, sleep, withRetry } from './retry'

const { BASE_URL = 'https://api.talentprotocol.com', API_KEY } = process.env

async function getJson(path: string, query: Record<string, string> = {}) {
  const qs = new URLSearchParams(query).toString()
  const url = `${BASE_URL}/api/v1${path}${qs ? `?${qs}` : ''}`
  return withRetry(async () => {
    const res = await fetch(url, { headers: API_KEY ? { 'X-API-KEY': API_KEY } : {} })
    if (!res.ok) throw new HttpError(res.status, url)
    return res.json()
  })
}

export async function* eachPassport(keyword?: string) {
  let page = 1
  let lastPage = 1
  do {
    const body = await getJson('/passports', { page: String(page), ...(keyword ? { keyword } : {}) })
    yield* body.passports
    lastPage = body.pagination.last_page
    process.stderr.write(`page ${body.pagination.current_page}/${lastPage}\n`)
    page += 1
    await sleep(400)
  } while (page <= lastPage)
}

export async function socialsOf(id: number): Promise<any[]> {
  const { passport } = await getJson(`/passports/${id}`)
  if (passport.merged) return []
  return passport.passport_socials
}
