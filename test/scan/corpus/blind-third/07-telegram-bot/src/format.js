const escape = (s) => String(s).replace(/[_*[\]()~`>#+\-=|{}.!]/g, '\\$&');

export function passportCard(passport) {
  const { display_name: name, bio, location } = passport.passport_profile ?? {};
  const lines = [
    `*${escape(name || 'Unnamed builder')}* ${passport.human_checkmark ? '✅' : ''}`,
    `Score: *${passport.score}*`,
    `Activity ${passport.activity_score}, identity ${passport.identity_score}, skills ${passport.skills_score}`,
  ];
  if (location) lines.push(`📍 ${escape(location)}`);
  if (bio) lines.push('', escape(bio));
  return lines.join('\n');
}

export function topList(passports) {
  return passports
    .map((p, i) => `${i + 1}\\. ${escape(p.passport_profile?.display_name ?? p.main_wallet)} — ${p.score}`)
    .join('\n');
}

export function credentialLines(credentials) {
  return credentials
    .filter((c) => c.value)
    .map((c) => `• ${escape(c.name)}: ${escape(c.value)}`);
}
