import chalk from 'chalk';
import { pages } from '../api.js';
import { openCsv } from '../csv.js';

const COLUMNS = [
  'passport_id',
  'display_name',
  'location',
  'tags',
  'score',
  'activity_score',
  'identity_score',
  'skills_score',
  'human',
  'wallets',
  'last_calculated_at',
];

const clean = (text) => (text ?? '').replace(/\s+/g, ' ').trim();

function toRow(p) {
  const profile = p.passport_profile ?? {};
  return {
    passport_id: p.passport_id,
    display_name: clean(profile.display_name),
    location: clean(profile.location),
    tags: (profile.tags ?? []).join(';'),
    score: p.score,
    activity_score: p.activity_score,
    identity_score: p.identity_score,
    skills_score: p.skills_score,
    human: p.human_checkmark ? 'yes' : 'no',
    wallets: p.verified_wallets?.length ?? 0,
    last_calculated_at: p.last_calculated_at,
  };
}

export async function directory({ keyword, maxPages, out }) {
  const csv = await openCsv(out, COLUMNS);
  const seen = new Set();
  let newest = '';

  for await (const { page, last, total, passports } of pages(keyword, maxPages)) {
    process.stderr.write(chalk.dim(`page ${page}/${last} of ${total} passports\n`));
    for (const passport of passports) {
      if (seen.has(passport.passport_id)) continue;
      seen.add(passport.passport_id);
      if (passport.last_calculated_at > newest) newest = passport.last_calculated_at;
      csv.write(toRow(passport));
    }
  }

  await csv.close();
  console.log(`${seen.size} rows in ${out}, newest calculation ${newest || 'unknown'}`);
}
