import { createEnv } from '@t3-oss/env-nextjs'
import { z } from 'zod'

export const env = createEnv({
  server: {
    TALENT_API_URL: z.string().url().default('https://api.talentprotocol.com/api/v1'),
    TALENT_API_KEY: z.string().min(1),
    NEYNAR_API_KEY: z.string().min(1),
    STORMGLASS_KEY: z.string().optional(),
  },
  experimental__runtimeEnv: {},
})
