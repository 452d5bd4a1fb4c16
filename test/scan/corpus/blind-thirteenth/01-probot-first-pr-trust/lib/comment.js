const MAX_ROWS = 6

const day = (iso) => (iso ? new Date(iso).toISOString().slice(0, 10) : '–')

function table(credentials) {
  if (!credentials.length) return '_No GitHub credentials._'
  const rows = [...credentials]
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_ROWS)
    .map((c) => `| ${c.name} | ${c.value || '–'} | ${c.score}/${c.max_score} | ${day(c.earned_at)} |`)
  return ['| what | value | points | since |', '|---|---|---|---|', ...rows].join('\n')
}

export function render({ login, passport, credentials, linked }) {
  const { display_name: name, tags = [] } = passport.passport_profile ?? {}
  const lines = [
    `Welcome @${login}! This is your first pull request here.`,
    '',
    `**${name || login}** · builder score ${passport.score}${passport.calculating_score ? ' (updating)' : ''}`,
    tags.length ? `Tags: ${tags.map((t) => `\`${t}\``).join(' ')}` : '',
    linked ? '✅ GitHub account is linked.' : '⚠️ GitHub account is not linked.',
    '',
    table(credentials),
    '',
    `<sub>Last calculated ${day(passport.last_calculated_at)}</sub>`,
  ]
  return lines.filter((l) => l !== null).join('\n')
}
