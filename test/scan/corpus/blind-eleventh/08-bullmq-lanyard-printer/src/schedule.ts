import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { config } from './config.js'

const queue = new Queue('lanyards', { connection: new Redis(config.REDIS_URL, { maxRetriesPerRequest: null }) })
await queue.upsertJobScheduler('nightly', { pattern: config.PRINT_CRON }, { name: 'print-all' })
await queue.close()
process.exit(0)
