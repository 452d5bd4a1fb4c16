export type Env = { TALENT_API: string; TALENT_KEY: string; CACHE: KVNamespace }

type RawCredential = {
  id: string
  name: string
  type: string
  category: 'Activity' | 'Identity' | 'Skills'
  value: string | null
  score: number
  max_score: number
  last_calculated_at: string | null
}

export const createTalent = (env: Env) => {
  const call = async (path: string) => {
    const cached = await env.CACHE.get(path, 'json')
    if (cached) return cached as any
    const res = await fetch(env.TALENT_API + path, { headers: { 'X-API-KEY': env.TALENT_KEY } })
    const json = (await res.json()) as any
    await env.CACHE.put(path, JSON.stringify(json), { expirationTtl: 900 })
    return json
  }

  return {
    credentials: async (id: string): Promise<RawCredential[]> => {
      const json = await call(`/passport_credentials?passport_id=${id}`)
      return json.passport_credentials ?? []
    },
    wallets: async (id: string): Promise<string[]> => {
      const json = await call('/passports/' + id)
      return json?.passport?.verified_wallets ?? []
    },
    find: async (name: string) => {
      const json = await call(`/passports?keyword=${encodeURIComponent(name)}`)
      const [first] = json.passports ?? []
      return first ? { id: first.passport_id as number, label: first.passport_profile.display_name as string } : null
    },
  }
}
