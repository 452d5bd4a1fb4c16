import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { WEIGHTS } from './config.mjs'
import { fetchAllPassports, fetchCredentials } from './fetchAll.mjs'

const { values } = parseArgs({
  options: { min: { type: 'string', default: '50' }, budget: { type: 'string', default: '100000' } },
})

const passports = await fetchAllPassports(Number(values.min))
const rows = []

for (const passport of passports) {
  if (!passport.human_checkmark) continue
  const wallet = passport.main_wallet ?? passport.verified_wallets?.[0]
  if (!wallet) continue

  const credentials = await fetchCredentials(passport.passport_id)
  let points = 0
  for (const { category, score } of credentials) {
    points += score * (WEIGHTS[category] ?? 1)
  }
  rows.push({ wallet, points, name: passport.passport_profile?.display_name ?? '' })
}

const totalPoints = rows.reduce((sum, r) => sum + r.points, 0)
const csv = rows
  .sort((a, b) => b.points - a.points)
  .map((r) => [r.wallet, r.points, Math.floor((Number(values.budget) * r.points) / totalPoints), r.name].join(','))

await writeFile('allocations.csv', ['wallet,points,amount,name', ...csv].join('\n'))
console.log(`${rows.length} wallets, ${totalPoints} points`)
