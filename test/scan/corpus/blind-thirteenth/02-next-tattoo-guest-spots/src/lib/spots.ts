import { sql } from '@/lib/db'

export type Spot = {
  id: string
  studio: string
  city: string
  startsOn: string
  endsOn: string
  minScore: number
  artistWallet: string | null
}

export async function upcomingSpots(): Promise<Spot[]> {
  return sql<Spot[]>`select * from spots where "endsOn" >= now() order by "startsOn" limit 50`
}

export async function spotById(id: string): Promise<Spot | undefined> {
  const [spot] = await sql<Spot[]>`select * from spots where id = ${id}`
  return spot
}
