import { readFile } from 'node:fs/promises'
import { createPassportClient, isUnauthorized } from '@suite/passport-client'
import nodemailer from 'nodemailer'
import { collect } from './collect.js'

const client = createPassportClient({ baseUrl: process.env.PASSPORT_API!, apiKey: process.env.PASSPORT_KEY })
const mailer = nodemailer.createTransport(process.env.SMTP_URL)

async function main() {
  const wallets = (await readFile('scholars.txt', 'utf8')).split('\n').filter(Boolean)
  const lines = await collect(client, wallets)
  const text = lines.map((l) => `${l.score}\t${l.who}\t${l.fresh.join(', ') || 'nothing new'}`).join('\n')

  await mailer.sendMail({
    from: 'suite@scholarships.example',
    to: process.env.DIGEST_TO,
    subject: `${lines.filter((l) => l.fresh.length).length} scholars moved this week`,
    text,
  })
}

main().catch((e) => {
  console.error(isUnauthorized(e) ? 'the API key was refused' : e)
  process.exit(1)
})
