import 'dotenv/config'
import { cleanEnv, num, str, url } from 'envalid'

export const env = cleanEnv(process.env, {
  PORT: num({ default: 3000 }),
  REDIS_URL: url(),
  DATABASE_URL: url(),
  TALENT_API: url({ default: 'https://api.talentprotocol.com/api/v1/' }),
  TALENT_API_KEY: str(),
  IMMUNEFI_TOKEN: str({ default: '' }),
})
