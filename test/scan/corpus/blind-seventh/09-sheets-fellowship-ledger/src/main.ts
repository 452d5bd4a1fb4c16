import { Command } from 'commander'
import pLimit from 'p-limit'
import { best, remember } from './ledger/history.js'
import { toRow, type LedgerRow } from './ledger/row.js'
import { LedgerSheet } from './ledger/sheet.js'
import { TalentClient } from './talent/client.js'

const program = new Command('fellowship-ledger')
const client = new TalentClient({
  host: process.env.TALENT_HOST,
  key: process.env.TALENT_KEY!,
  budget: Number(process.env.TALENT_BUDGET ?? 500),
})

program
  .command('sync <spreadsheet>')
  .option('-c, --concurrency <n>', 'parallel requests', '4')
  .action(async (spreadsheet: string, { concurrency }: { concurrency: string }) => {
    const sheet = await LedgerSheet.open(spreadsheet)
    const limit = pLimit(Number(concurrency))
    const rows = await Promise.all(
      (await sheet.people()).map((fellow) =>
        limit(async (): Promise<LedgerRow> => {
          const passport = await client.passport(fellow.wallet)
          const credentials = passport ? await client.credentials(passport.passport_id).catch(() => []) : []
          if (passport) remember(passport, credentials)
          return toRow(fellow, passport, credentials)
        }),
      ),
    )
    rows.sort((a, b) => Number(b.score) - Number(a.score))
    await sheet.replace(rows)
    console.log(`${rows.length} rows, ${client.spent} requests`)
  })

program.command('find <name>').action(async (name: string) => {
  for await (const p of client.search(name)) {
    console.log([p.passport_id, p.passport_profile?.display_name ?? '?', p.score, best(p.passport_id)].join('\t'))
  }
})

await program.parseAsync()
