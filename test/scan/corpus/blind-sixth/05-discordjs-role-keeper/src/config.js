require('dotenv').config();

module.exports = {
  token: process.env.DISCORD_TOKEN,
  guildId: process.env.GUILD_ID,
  talent: {
    host: process.env.TALENT_HOST || 'https://api.talentprotocol.com',
    key: process.env.TALENT_KEY,
  },
  // ordered from the highest to the lowest
  roles: [
    { id: process.env.ROLE_GOLD, name: 'Gold', min: 100 },
    { id: process.env.ROLE_SILVER, name: 'Silver', min: 60 },
    { id: process.env.ROLE_BRONZE, name: 'Bronze', min: 25 },
  ],
  humanRole: process.env.ROLE_HUMAN,
};
