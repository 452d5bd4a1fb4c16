const bold = (s) => `*${s}*`

function personSection(person) {
  const profile = person.passport_profile || {}
  const name = profile.display_name || person.main_wallet.slice(0, 8)
  const lines = [bold(name), profile.bio, profile.location && `:round_pushpin: ${profile.location}`]
  return {
    type: 'section',
    text: { type: 'mrkdwn', text: lines.filter(Boolean).join('\n') },
    fields: ['score', 'skills_score', 'activity_score'].map((key) => ({
      type: 'mrkdwn',
      text: `${bold(key.replace('_', ' '))} ${person[key]}`,
    })),
    accessory: {
      type: 'button',
      action_id: 'ask_swap',
      text: { type: 'plain_text', text: 'Ask to swap' },
      value: String(person.passport_id),
    },
  }
}

function socialsContext({ passport_socials = [] }) {
  const elements = passport_socials
    .filter((social) => social.source === 'github' || social.source === 'linkedin')
    .map(({ profile_url, profile_display_name }) => ({
      type: 'mrkdwn',
      text: `<${profile_url}|${profile_display_name}>`,
    }))
  return elements.length ? [{ type: 'context', elements }] : []
}

module.exports = { personSection, socialsContext }
