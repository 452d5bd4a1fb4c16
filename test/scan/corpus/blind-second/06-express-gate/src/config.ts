import 'dotenv/config'

function required(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

export const config = {
  port: Number(process.env.PORT ?? 3000),
  jwtSecret: required('JWT_SECRET'),
  passportApi: {
    url: required('PASSPORT_API_URL'), // e.g. https://api.talentprotocol.com/api/v1
    key: required('PASSPORT_API_KEY'),
  },
  minScore: Number(process.env.MIN_SCORE ?? 25),
}
