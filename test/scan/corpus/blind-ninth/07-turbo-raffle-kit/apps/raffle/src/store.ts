import postgres from 'postgres'

const sql = postgres(process.env.DATABASE_URL!)

export interface Entry {
  id: string
  wallet: string
  passportId: number | null
}

export const loadEntries = (raffleId: string) =>
  sql<Entry[]>`select id, wallet, passport_id as "passportId" from entries where raffle_id = ${raffleId}`

export const saveWinner = (raffleId: string, wallet: string, name: string) =>
  sql`update raffles set winner = ${wallet}, winner_name = ${name} where id = ${raffleId}`
