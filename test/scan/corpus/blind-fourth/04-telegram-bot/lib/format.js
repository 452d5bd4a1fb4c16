const medal = ['🥇', '🥈', '🥉'];

function formatPassport(passport) {
  const {
    score = 0,
    passport_profile: { display_name: name, location, tags = [] } = {},
    passport_socials: socials,
  } = passport;

  const lines = [`*${name || 'Anon'}* — ${score} pts`];
  if (location) lines.push(`📍 ${location}`);
  if (tags.length) lines.push(tags.map((t) => `#${t}`).join(' '));
  for (const social of socials || []) {
    lines.push(`[${social.source}](${social.profile_url})`);
  }
  return lines.join('\n');
}

function formatSearch(items) {
  return items
    .slice(0, 10)
    .map((p, i) => `${medal[i] || i + 1 + '.'} ${p.passport_profile?.display_name || p.main_wallet} (${p.score})`)
    .join('\n');
}

function formatCredentials(list) {
  const byCategory = {};
  list.forEach((item) => {
    (byCategory[item.category] ||= []).push(item);
  });
  return Object.entries(byCategory)
    .map(([category, group]) => {
      const rows = group.map((g) => `  ${g.name}: ${g.value || '-'} (${g.score}/${g.max_score})`);
      return `${category}\n${rows.join('\n')}`;
    })
    .join('\n\n');
}

module.exports = { formatPassport, formatSearch, formatCredentials };
