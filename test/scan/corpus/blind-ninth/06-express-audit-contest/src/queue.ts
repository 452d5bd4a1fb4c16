import { Queue, Worker, type Job } from 'bullmq'
import { Redis } from 'ioredis'
import { db } from './db/client.js'
import { auditors } from './db/schema.js'
import { env } from './env.js'
import { createReputation, type Badge, type Reputation } from './reputation.js'

const connection = new Redis(env.REDIS_URL, { maxRetriesPerRequest: null })

export const refreshQueue = new Queue<{ wallet: string }>('refresh-auditor', { connection })

const SECURITY_TYPES = new Set(['github_code4rena', 'cantina_auditor', 'immunefi_whitehat'])

export function toRow(wallet: string, rep: Reputation | undefined, badges: Badge[]) {
  return {
    wallet,
    passportId: rep?.passport_id ?? null,
    handle: rep?.passport_profile.display_name?.trim() || null,
    score: Math.round(rep?.score ?? 0),
    human: rep?.human_checkmark === true,
    scoredAt: rep?.last_calculated_at ? new Date(rep.last_calculated_at) : null,
    badges: badges
      .filter((b) => b.earned_at && SECURITY_TYPES.has(b.type))
      .map((b) => (b.value ? `${b.type}: ${b.value}` : b.type)),
  }
}

const reputation = createReputation()

async function refresh({ data }: Job<{ wallet: string }>) {
  const rep = await reputation.lookup(data.wallet)
  const badges = rep ? await reputation.badges(rep.passport_id) : []
  const row = toRow(data.wallet, rep, badges)
  await db.insert(auditors).values(row).onConflictDoUpdate({ target: auditors.wallet, set: row })
  return row.score
}

export function startWorker() {
  const worker = new Worker('refresh-auditor', refresh, {
    connection,
    limiter: { max: 2, duration: 1000 },
  })
  worker.on('failed', (job, err) => console.error('refresh failed', job?.data.wallet, err.message))
  return worker
}
