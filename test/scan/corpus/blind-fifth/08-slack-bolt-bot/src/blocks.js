const score = (p) => (p.calculating_score ? ':hourglass: calculating' : `*${p.score}*`)

const short = (wallet) => `${wallet.slice(0, 6)}…${wallet.slice(-4)}`

export function passportBlocks(passport, credentials) {
  const { passport_profile: { display_name: name, bio, location }, main_wallet } = passport
  const socials = passport.passport_socials
    .filter((s) => s.profile_url)
    .map((s) => `<${s.profile_url}|${s.source}> (${s.follower_count || '0'})`)

  const top = [...credentials].sort((a, b) => b.score / b.max_score - a.score / a.max_score).slice(0, 3)

  return [
    { type: 'header', text: { type: 'plain_text', text: name || short(main_wallet) } },
    { type: 'section', text: { type: 'mrkdwn', text: `${bio || '_no bio_'}\n:round_pushpin: ${location || 'somewhere'}` } },
    {
      type: 'section',
      fields: [
        { type: 'mrkdwn', text: `Score\n${score(passport)}` },
        { type: 'mrkdwn', text: `Skills\n${passport.skills_score}` },
        { type: 'mrkdwn', text: `Identity\n${passport.identity_score}` },
        { type: 'mrkdwn', text: `Human\n${passport.human_checkmark ? 'yes' : 'no'}` },
      ],
    },
    ...top.map((c) => ({ type: 'context', elements: [{ type: 'mrkdwn', text: `:medal: ${c.name}: ${c.value}` }] })),
    { type: 'context', elements: [{ type: 'mrkdwn', text: socials.join(' · ') || 'no socials' }] },
  ]
}

export function resultBlocks({ passports, total }, keyword) {
  const rows = passports.slice(0, 8).map((p) => ({
    type: 'section',
    text: { type: 'mrkdwn', text: `${p['passport_profile']['display_name']} ${score(p)}` },
    accessory: {
      type: 'button',
      action_id: 'show_passport',
      text: { type: 'plain_text', text: 'Show' },
      value: String(p.passport_id),
    },
  }))
  return [{ type: 'section', text: { type: 'mrkdwn', text: `${total} results for _${keyword}_` } }, ...rows]
}
