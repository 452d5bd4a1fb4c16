import fs from 'node:fs/promises';
import got from 'got';
import _ from 'lodash';
import { stringify } from 'csv-stringify/sync';

const api = got.extend({
  prefixUrl: 'https://passports.example/api/v1',
  headers: { 'X-API-KEY': process.env.API_KEY },
  retry: { limit: 2 },
});

interface Row {
  id: number;
  name: string;
  wallet: string;
  score: number;
  wallets: number;
}

async function fetchAll(keyword: string): Promise<any[]> {
  const all: any[] = [];
  let page = 1;
  let lastPage = 1;
  do {
    const body: any = await api.get('passports', { searchParams: { keyword, page } }).json(); // call: passport-list
    all.push(...body.passports);
    lastPage = body.pagination.last_page; // read: pagination.last_page
    page += 1;
  } while (page <= lastPage);
  return all;
}

function toRow(passport: any): Row {
  return {
    id: passport.passport_id, // read: passports[].passport_id
    name: _.get(passport, 'passport_profile.display_name', 'unknown'), // read: passports[].passport_profile.display_name
    wallet: passport['main_wallet'], // read: passports[].main_wallet
    score: _.get(passport, 'score', 0), // read: passports[].score; hazard: fallback-default
    wallets: _.size(passport.verified_wallets), // read: passports[].verified_wallets[]
  };
}

async function main() {
  const [keyword = '', target = 'passports.csv'] = process.argv.slice(2);
  const passports = await fetchAll(keyword);
  const humans = _.filter(passports, 'human_checkmark'); // read: passports[].human_checkmark
  const ordered = _.orderBy(humans, ['last_calculated_at'], ['desc']); // read: passports[].last_calculated_at
  const rows = ordered.map(toRow);
  const best = _.maxBy(rows, (row) => row.score);
  console.log(`best: ${best?.name} with ${best?.score ?? 0}`); // hazard: fallback-default
  await fs.writeFile(target, stringify(rows, { header: true }));
}

main().catch((err) => {
  console.error(err);
  process.exit(1);
});
