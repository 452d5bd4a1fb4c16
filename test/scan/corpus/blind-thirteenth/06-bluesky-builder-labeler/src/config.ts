import 'dotenv/config'
import { z } from 'zod'

const Env = z.object({
  LABELER_DID: z.string().startsWith('did:'),
  SIGNING_KEY: z.string(),
  PORT: z.coerce.number().default(14831),
  TALENT_ENDPOINT: z.string().url().default('https://api.talentprotocol.com'),
  TALENT_TOKEN: z.string(),
  WALLET_RECORD: z.string().default('xyz.statusphere.wallet'),
})

export const config = Env.parse(process.env)
