import { createPublicClient, http } from 'viem'
import { base } from 'viem/chains'
import { createStanding, label, ownsWallet } from '@raffle/standing'
import { loadEntries, saveWinner, type Entry } from './store'
import { ticketsFor } from './weights'

const chain = createPublicClient({ chain: base, transport: http(process.env.BASE_RPC_URL) })
const standing = createStanding({ apiKey: process.env.TALENT_API_KEY!, baseUrl: process.env.TALENT_BASE_URL })

interface Candidate {
  entry: Entry
  name: string
  tickets: number
}

async function candidate(entry: Entry): Promise<Candidate> {
  const passport = await standing.find(entry.passportId ?? entry.wallet)
  if (passport && !ownsWallet(passport, entry.wallet)) {
    return { entry, name: label(passport), tickets: 0 }
  }
  return { entry, name: passport ? label(passport) : entry.wallet, tickets: ticketsFor(passport) }
}

function pick(candidates: Candidate[], seed: bigint): Candidate {
  const total = candidates.reduce((n, c) => n + c.tickets, 0)
  let n = Number(seed % BigInt(total))
  for (const c of candidates) {
    n -= c.tickets
    if (n < 0) return c
  }
  throw new Error('no tickets in the drum')
}

export async function draw(raffleId: string) {
  const entries = await loadEntries(raffleId)
  const candidates = await Promise.all(entries.map(candidate))
  const block = await chain.getBlock({ blockTag: 'finalized' })
  const winner = pick(candidates, BigInt(block.hash))
  await saveWinner(raffleId, winner.entry.wallet, winner.name)
  return winner
}
