#!/usr/bin/env node
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { program } from 'commander'
import { stringify } from 'csv-stringify'
import ora from 'ora'
import pLimit from 'p-limit'
import { txCount } from '../src/explorer.js'
import { judge } from '../src/rules.js'
import { credentialTypes, everyone, lookup } from '../src/talent.js'

const COLUMNS = {
  wallet: (p) => p.main_wallet,
  id: (p) => p.passport_id,
  name: (p) => p.passport_profile?.display_name ?? '',
  score: (p) => p.score,
  calculated: (p) => p.last_calculated_at?.slice(0, 10),
}

function row(passport, verdict, extra = {}) {
  const out = {}
  for (const [column, pick] of Object.entries(COLUMNS)) out[column] = pick(passport)
  return { ...out, risk: verdict.risk, reasons: verdict.reasons.join(' '), ...extra }
}

async function* readWallets(file) {
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const wallet = line.split(',')[0].trim()
    if (/^0x[\da-f]{40}$/i.test(wallet)) yield wallet.toLowerCase()
  }
}

program.name('sybil-sweep').option('-c, --concurrency <n>', 'parallel lookups', Number, 2)

program
  .command('file <path>')
  .description('judge the wallets of an allowlist')
  .option('--tx', 'count transactions too')
  .action(async (path, options) => {
    const limit = pLimit(program.opts().concurrency)
    const spinner = ora('sweeping').start()
    const out = stringify({ header: true })
    out.pipe(process.stdout)
    const jobs = []
    for await (const wallet of readWallets(path)) {
      jobs.push(
        limit(async () => {
          const passport = await lookup(wallet)
          if (!passport) {
            out.write({ wallet, id: '', name: '', score: 0, calculated: '', risk: 100, reasons: 'unknown' })
            return
          }
          const types = await credentialTypes(passport.passport_id)
          const extra = options.tx ? { tx: await txCount(wallet) } : {}
          out.write(row(passport, judge(passport, types), extra))
          spinner.text = wallet
        }),
      )
    }
    await Promise.all(jobs)
    out.end()
    spinner.succeed(`${jobs.length} wallets`)
  })

program
  .command('all [keyword]')
  .description('walk through the public list')
  .option('--min <score>', 'stop below this score', Number, 0)
  .action(async (keyword, { min }) => {
    const out = stringify({ header: true })
    out.pipe(process.stdout)
    for await (const passport of everyone(keyword)) {
      if (passport.score < min) break
      if (passport.calculating_score) continue
      out.write(row(passport, judge(passport)))
    }
    out.end()
  })

await program.parseAsync()
