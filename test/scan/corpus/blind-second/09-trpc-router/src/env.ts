import { createEnv } from '@t3-oss/env-nextjs'
import { z } from 'zod'

export const env = createEnv({
  server: {
    TALENT_API_URL: z.string().url(),
    TALENT_API_KEY: z.string().min(1),
  },
  experimental__runtimeEnv: {},
})
