import { createEnv } from '@t3-oss/env-nextjs'
import { z } from 'zod'

export const env = createEnv({
  server: {
    REPUTATION_BASE_URL: z.string().url(),
    REPUTATION_API_KEY: z.string().min(1),
    TMDB_TOKEN: z.string().min(1),
  },
  experimental__runtimeEnv: {},
})
