import cron from 'node-cron'
import { PrismaClient } from '@prisma/client'
import { sync } from './sync.js'

const db = new PrismaClient()

async function run() {
  const started = Date.now()
  try {
    const seen = await sync(db)
    console.log(`synced ${seen} builders in ${Date.now() - started} ms`)
  } catch (error) {
    console.error('sync failed, keeping the old rows', error)
    process.exitCode = 1
  }
}

cron.schedule('15 3 * * *', run)
if (process.argv.includes('--now')) await run()
