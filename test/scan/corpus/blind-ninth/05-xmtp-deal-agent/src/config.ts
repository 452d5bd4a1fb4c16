function must(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

export const config = {
  xmtpEnv: (process.env.XMTP_ENV ?? 'dev') as 'dev' | 'production',
  talent: {
    host: process.env.TALENT_HOST ?? 'https://api.talentprotocol.com',
    apiKey: must('TALENT_API_KEY'),
  },
  chainalysisKey: must('CHAINALYSIS_KEY'),
  minScore: Number(process.env.MIN_SCORE ?? 40),
}
