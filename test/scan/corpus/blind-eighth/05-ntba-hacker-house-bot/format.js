const esc = (s) => String(s == null ? '' : s).replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c])

const ICONS = { github: '🐙', farcaster: '🟪', lens: '🌿', twitter: '🐦', linkedin: '💼' }

function socials(list) {
  if (!list || !list.length) return ''
  return list
    .filter((s) => s.profile_url)
    .map((s) => `${ICONS[s.source] || '🔗'} <a href="${s.profile_url}">${esc(s.profile_display_name || s.profile_name)}</a>`)
    .join('\n')
}

function card(passport, credentials) {
  const profile = passport.passport_profile || {}
  const lines = [
    `<b>${esc(profile.display_name)}</b> ${passport.human_checkmark ? '✅' : ''}`,
    profile.location ? `📍 ${esc(profile.location)}` : null,
    profile.bio && esc(profile.bio.slice(0, 140)),
    '',
    `Score <b>${passport.score}</b>`,
    `  activity ${passport.activity_score}`,
    `  identity ${passport.identity_score}`,
    `  skills ${passport.skills_score}`,
    `${passport.verified_wallets.length} wallets, ${credentials.length} credentials`,
    socials(passport.passport_socials),
  ]
  return lines.filter((l) => l !== null && l !== undefined).join('\n')
}

function searchResult(p, i) {
  return `${i + 1}. <b>${esc(p.passport_profile.display_name)}</b> – ${p.score}`
}

function credentialLines(credentials) {
  const groups = {}
  credentials.forEach((c) => {
    const key = c.category
    groups[key] = groups[key] || []
    groups[key].push(`• ${c.name}: ${c.value || '–'} (${c.score}/${c.max_score})`)
  })
  return Object.keys(groups)
    .map((g) => `${g}\n${groups[g].join('\n')}`)
    .join('\n\n')
}

function houseTable(residents) {
  const rows = residents
    .sort((a, b) => b.score - a.score)
    .map((r) => `${String(r.score).padStart(4)}  ${esc(r.name)} (@${r.telegram})`)
  return `<pre>${rows.join('\n')}</pre>`
}

module.exports = { card, searchResult, credentialLines, houseTable }
