require('dotenv').config()

module.exports = {
  token: process.env.DISCORD_TOKEN,
  guildId: process.env.GUILD_ID,
  pacerRole: process.env.PACER_ROLE_ID,
  minPacerScore: Number(process.env.MIN_PACER_SCORE || 50),
  talent: {
    host: process.env.TALENT_HOST || 'https://api.talentprotocol.com',
    key: process.env.TALENT_KEY,
  },
  strava: { clientId: process.env.STRAVA_CLIENT_ID, refreshToken: process.env.STRAVA_REFRESH },
}
