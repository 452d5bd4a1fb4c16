#!/usr/bin/env node
import { Command } from 'commander'
import { Cron } from 'croner'
import { openDb } from '../lib/store.mjs'
import { runCensus, retake } from '../lib/census.mjs'
import { writeCsv, writeSummary } from '../lib/report.mjs'

const program = new Command('census').option('-d, --db <file>', 'sqlite file', 'census.db')

program
  .command('run')
  .option('-k, --keyword <word>', 'only these names')
  .option('--pages <n>', 'most pages to read', Number, 40)
  .option('--csv <file>', 'also write a CSV')
  .option('--summary <file>', 'also write a JSON summary')
  .action(async (opts) => {
    const db = openDb(program.opts().db)
    const { people, credentials } = await runCensus(db, opts)
    console.log(`${people} people, ${credentials} credentials`)
    if (opts.csv) await writeCsv(db, opts.csv)
    if (opts.summary) await writeSummary(db, opts.summary)
  })

program
  .command('retake <ids...>')
  .description('read some people again')
  .action(async (ids) => {
    const db = openDb(program.opts().db)
    const changed = await retake(db, ids)
    console.table(changed)
  })

program.command('schedule').action(() => {
  const db = openDb(program.opts().db)
  new Cron('15 3 * * 1', { protect: true, catch: (e) => console.error('census failed', e) }, async () => {
    await runCensus(db, { pages: 40 })
    await writeCsv(db, `census-${new Date().toISOString().slice(0, 10)}.csv`)
  })
})

program.parseAsync()
