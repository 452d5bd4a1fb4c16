import { z } from 'zod'

const SCORER = process.env.PASSPORT_API_URL ?? 'https://api.passport.xyz'
const headers = { 'X-API-KEY': process.env.PASSPORT_API_KEY ?? '' }

const scoreSchema = z.object({
  address: z.string(),
  score: z.string().nullable(),
  passing_score: z.boolean(),
  last_score_timestamp: z.string().nullable(),
  threshold: z.string(),
})

const stampSchema = z.object({
  version: z.string(),
  credential: z.object({
    issuanceDate: z.string(),
    expirationDate: z.string(),
    credentialSubject: z.object({ provider: z.string(), hash: z.string().optional() }),
  }),
  metadata: z.object({ name: z.string(), description: z.string() }).optional(),
})

const stampsSchema = z.object({ next: z.string().nullable(), items: z.array(stampSchema) })

export type PassportScore = z.infer<typeof scoreSchema>
export type Stamp = z.infer<typeof stampSchema>

export async function getPassportScore(address: string): Promise<PassportScore> {
  const res = await fetch(`${SCORER}/v2/stamps/${process.env.SCORER_ID}/score/${address}`, { headers })
  if (!res.ok) throw new Error(`passport scorer ${res.status}`)
  return scoreSchema.parse(await res.json())
}

export async function getPassportCredentials(address: string): Promise<Stamp[]> {
  const stamps: Stamp[] = []
  let url: string | null = `${SCORER}/registry/stamps/${address}?include_metadata=true&limit=100`
  while (url) {
    const res: Response = await fetch(url, { headers })
    if (!res.ok) return []
    const page = stampsSchema.parse(await res.json())
    stamps.push(...page.items)
    url = page.next
  }
  return stamps
}
