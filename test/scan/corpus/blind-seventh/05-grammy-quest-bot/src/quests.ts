import { request } from 'undici'
import { env } from './env.js'
import type { Item } from './reputation.js'

export interface Quest {
  slug: string
  title: string
  wants: (items: Item[]) => boolean
}

export const quests: Quest[] = [
  {
    slug: 'wanderer',
    title: 'Own an active wallet',
    wants: (items) => items.some((i) => i.type === 'active_wallet' && i.score > 0),
  },
  {
    slug: 'collector',
    title: 'Hold ten credentials',
    wants: (items) => items.filter((i) => i.score > 0).length >= 10,
  },
  {
    slug: 'perfectionist',
    title: 'Fill one credential to the brim',
    wants: (items) => items.some(({ score, max_score }) => max_score > 0 && score === max_score),
  },
  {
    slug: 'citizen',
    title: 'Prove that you are a person',
    wants: (items) => items.some((i) => /Verified/.test(i.value ?? '')),
  },
]

/** Galxe keeps its own points; they are shown beside ours. */
export async function galxePoints(address: string): Promise<number> {
  const { body } = await request('https://graphigo.prd.galaxy.eco/query', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'access-token': env.galxeToken },
    body: JSON.stringify({
      query: 'query($a:String!){addressInfo(address:$a){userLevel{exp} passport{status lastSelfieTimestamp}}}',
      variables: { a: address },
    }),
  })
  const json = (await body.json()) as any
  if (json.data?.addressInfo?.passport?.status !== 'MINTED') return 0
  return json.data.addressInfo.userLevel.exp
}
