export const env = {
  port: Number(process.env.PORT ?? 3005),
  redis: process.env.REDIS_URL ?? 'redis://localhost:6379',
  reputationHost: process.env.REPUTATION_HOST ?? 'https://api.talentprotocol.com',
  reputationKey: process.env.REPUTATION_KEY ?? '',
  perksFile: process.env.PERKS_FILE ?? './perks.json',
}
