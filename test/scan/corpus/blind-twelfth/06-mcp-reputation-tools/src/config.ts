import { z } from 'zod'

const schema = z.object({
  TALENT_API_KEY: z.string().min(1),
  TALENT_API_BASE: z.string().url().default('https://api.talentprotocol.com'),
  ENS_API_BASE: z.string().url().default('https://api.ensdata.net'),
})

export const config = schema.parse(process.env)
