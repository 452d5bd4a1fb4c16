import type { PrismaClient } from '@prisma/client'
import { allPassports } from './talent.js'
import type { Passport } from './schemas.js'

export function toRow(p: Passport) {
  return {
    id: p.passport_id,
    name: p.passport_profile?.display_name ?? null,
    location: p.passport_profile?.location?.trim() || null,
    score: p.score,
    subScores: [p.activity_score, p.identity_score, p.skills_score],
    human: p.human_checkmark,
    wallet: p.main_wallet ?? p.verified_wallets[0] ?? null,
    calculatedAt: p.last_calculated_at,
  }
}

export async function sync(db: PrismaClient) {
  let seen = 0
  for await (const passport of allPassports(40)) {
    const row = toRow(passport)
    const before = await db.builder.findUnique({ where: { id: row.id } })
    await db.builder.upsert({ where: { id: row.id }, create: row, update: row })
    if (before && before.score !== row.score) {
      await db.scoreChange.create({ data: { builderId: row.id, from: before.score, to: row.score } })
    }
    seen += 1
  }
  return seen
}
