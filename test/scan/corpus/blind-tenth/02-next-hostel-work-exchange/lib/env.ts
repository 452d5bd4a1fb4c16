import { createEnv } from '@t3-oss/env-nextjs'
import { z } from 'zod'

export const env = createEnv({
  server: {
    TALENT_API_URL: z.string().url(),
    TALENT_API_TOKEN: z.string().min(1),
    DATABASE_URL: z.string().url(),
    RESEND_API_KEY: z.string(),
  },
  experimental__runtimeEnv: {},
})
