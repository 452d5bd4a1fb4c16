require('dotenv').config();

module.exports = {
  discord: { token: process.env.DISCORD_TOKEN, guildId: process.env.GUILD_ID },
  talent: {
    host: process.env.TALENT_HOST || 'https://api.talentprotocol.com',
    apiKey: process.env.TALENT_API_KEY,
    endpoints: {
      passport: '/api/v1/passports/',
      credentials: '/api/v1/passport_credentials',
    },
  },
  minScore: Number(process.env.MIN_SCORE || 25),
};
