require('dotenv').config()

module.exports = {
  slack: { token: process.env.SLACK_BOT_TOKEN, signingSecret: process.env.SLACK_SIGNING_SECRET },
  pagerduty: { token: process.env.PAGERDUTY_TOKEN, schedule: process.env.PAGERDUTY_SCHEDULE },
  talent: {
    url: process.env.TALENT_URL || 'https://api.talentprotocol.com/api/v1',
    key: process.env.TALENT_KEY,
  },
  minScore: Number(process.env.MIN_SCORE || 50),
}
