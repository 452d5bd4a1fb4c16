import { z } from 'zod'

const Result = z.object({
  competitor: z.number(),
  score: z.number(),
  category: z.string(),
  earned_at: z.string(),
})

export async function pullResults(season: number) {
  const res = await fetch(`${process.env.FEDERATION_URL}/seasons/${season}/results`, {
    headers: { 'X-API-KEY': process.env.FEDERATION_KEY ?? '' },
  })
  if (!res.ok) return []
  return z.array(Result).parse(await res.json())
}
