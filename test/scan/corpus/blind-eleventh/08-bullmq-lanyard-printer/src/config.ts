import 'dotenv/config'
import { z } from 'zod'

export const config = z
  .object({
    REDIS_URL: z.string().default('redis://localhost:6379'),
    TICKETS_URL: z.string().url(),
    REPUTATION_URL: z.string().url().default('https://api.talentprotocol.com/api/v1/'),
    REPUTATION_KEY: z.string().optional(),
    PRINT_CRON: z.string().default('0 5 * * *'),
  })
  .parse(process.env)
