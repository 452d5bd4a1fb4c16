import { Cron } from 'croner'
import ejs from 'ejs'
import nodemailer from 'nodemailer'
import { dormantMembers } from './dormant.js'
import { log } from './log.js'
import { settings } from './settings.js'
import { members } from './sources.js'

const mailer = nodemailer.createTransport(settings.mail.smtp)
const template = new URL('../templates/digest.ejs', import.meta.url).pathname

function isoWeek(date = new Date()) {
  const start = new Date(Date.UTC(date.getUTCFullYear(), 0, 1))
  return Math.ceil(((date - start) / 86400000 + start.getUTCDay() + 1) / 7)
}

async function run() {
  const wallets = await members()
  const entries = []
  const unknown = []
  for await (const entry of dormantMembers(wallets)) {
    ;(entry.unknown ? unknown : entries).push(entry)
  }
  entries.sort((a, b) => b.passport.score - a.passport.score)

  const html = await ejs.renderFile(template, { entries, unknown, total: wallets.length, week: isoWeek() })
  await mailer.sendMail({
    from: 'Guild bot <bot@guild.example>',
    to: settings.mail.to,
    subject: `${entries.length} quiet members`,
    html,
  })
  log.info({ entries: entries.length, unknown: unknown.length }, 'digest sent')
}

if (process.argv.includes('--once')) {
  await run()
} else {
  new Cron(settings.cron, { protect: true, catch: (err) => log.error(err) }, run)
}
