import { parseArgs } from 'node:util'
import { csvWriter } from './csv'
import { eachPassport, socialsOf } from './passports'

const { values: args } = parseArgs({
  options: {
    keyword: { type: 'string' },
    out: { type: 'string', default: 'passports.csv' },
    min: { type: 'string', default: '0' },
    socials: { type: 'boolean', default: false },
  },
})

async function main() {
  const min = Number(args.min)
  const csv = csvWriter(args.out!, ['id', 'name', 'score', 'wallet', 'wallets', 'calculated', 'github'])
  let count = 0

  for await (const p of eachPassport(args.keyword)) {
    if (p.score < min) break // sorted by score
    let github = ''
    if (args.socials) {
      const socials = await socialsOf(p.passport_id)
      github = socials.find((s) => s.source === 'github')?.profile_name ?? ''
    }
    csv.row([
      p.passport_id,
      p.passport_profile?.display_name,
      p.score,
      p.main_wallet,
      (p.verified_wallets as string[]).join(' '),
      p.last_calculated_at && new Date(p.last_calculated_at).toISOString().slice(0, 10),
      github,
    ])
    count++
  }

  await csv.end()
  console.log(`wrote ${count} rows to ${args.out}`)
}

main().catch((e) => {
  console.error(e)
  process.exit(1)
})
