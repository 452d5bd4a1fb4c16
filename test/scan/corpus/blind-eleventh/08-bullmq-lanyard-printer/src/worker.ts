import { mkdir, writeFile } from 'node:fs/promises'
import { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { config } from './config.js'
import { compose, render } from './lanyard.js'
import type { Ticket } from './schemas.js'
import { credentials, passport, tickets } from './sources.js'

const log = pino()
const connection = new Redis(config.REDIS_URL, { maxRetriesPerRequest: null })

async function print(ticket: Ticket) {
  const holder = ticket.wallet ? await passport(ticket.wallet) : null
  const earned = holder ? await credentials(holder.passport_id).catch(() => []) : []
  const lanyard = compose(ticket, holder, earned)
  await writeFile(`out/${ticket.id}.pdf`, await render(lanyard))
  log.info({ ticket: ticket.id, from: holder?.passport_profile?.location, ribbon: lanyard.ribbon }, 'printed')
}

await mkdir('out', { recursive: true })
new Worker(
  'lanyards',
  async (job) => {
    if (job.name === 'print') return print(job.data as Ticket)
    for await (const ticket of tickets()) await print(ticket)
  },
  { connection, concurrency: 2, limiter: { max: 2, duration: 1000 } },
)
