const { TALENT_API_URL, TALENT_API_KEY, GUILD_ID, SMTP_URL, DIGEST_TO, DIGEST_CRON = '0 7 * * 1' } = process.env

export const settings = {
  reputation: {
    url: TALENT_API_URL || 'https://api.talentprotocol.com',
    key: TALENT_API_KEY,
    paths: {
      person: (id) => `/api/v1/passports/${id}`,
      proofs: '/api/v1/passport_credentials',
    },
  },
  guild: { id: GUILD_ID, url: 'https://api.guild.xyz/v2' },
  mail: { smtp: SMTP_URL, to: DIGEST_TO?.split(',') ?? [] },
  cron: DIGEST_CRON,
  dormantDays: 45,
}
