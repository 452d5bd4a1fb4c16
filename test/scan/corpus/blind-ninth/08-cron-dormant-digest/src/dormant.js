import pLimit from 'p-limit'
import { person, proofs } from './sources.js'
import { settings } from './settings.js'

const DAY = 24 * 60 * 60 * 1000
const limit = pLimit(2)

const ageInDays = (iso) => Math.floor((Date.now() - Date.parse(iso)) / DAY)

export function isDormant(p, now = settings.dormantDays) {
  if (p.calculating_score) return false
  if (!p.last_calculated_at) return true
  return ageInDays(p.last_calculated_at) > now || p.activity_score === 0
}

function latestProof(list) {
  return list
    .filter((proof) => proof.earned_at)
    .toSorted((a, b) => b.earned_at.localeCompare(a.earned_at))[0]
}

async function inspect(wallet) {
  const found = await person(wallet)
  if (!found) return { wallet, unknown: true }
  if (!isDormant(found)) return null
  const last = latestProof(await proofs(found['passport_id']))
  return { wallet, passport: found, last }
}

export async function* dormantMembers(wallets) {
  const jobs = wallets.map((wallet) => limit(inspect, wallet))
  for (const job of jobs) {
    const result = await job
    if (result) yield result
  }
}
