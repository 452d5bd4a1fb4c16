import { readFile } from 'node:fs/promises';
import chalk from 'chalk';
import pLimit from 'p-limit';
import { getPassport } from '../api.js';
import { openCsv } from '../csv.js';

const SOURCES = ['github', 'farcaster', 'twitter'];

async function lookup(wallet) {
  let passport = null;
  try {
    passport = await getPassport(wallet);
  } catch (err) {
    console.error(chalk.yellow(`${wallet}: ${err.message}`));
  }

  const row = {
    wallet,
    passport_id: passport?.passport_id ?? '',
    score: passport?.score ?? 0,
    connections: passport?.connections_count ?? 0,
    merged: passport?.merged ? 1 : 0,
    main: passport?.main_wallet?.toLowerCase() === wallet.toLowerCase() ? 1 : 0,
  };
  for (const source of SOURCES) {
    const social = passport?.passport_socials?.find((s) => s.source === source);
    row[source] = social?.profile_name ?? '';
    row[`${source}_followers`] = Number(social?.follower_count ?? 0);
  }
  return row;
}

export async function wallets(input, { out, concurrency }) {
  const list = (await readFile(input, 'utf8')).split(/\r?\n/).filter((l) => l.startsWith('0x'));
  const limit = pLimit(concurrency);
  const rows = await Promise.all(list.map((wallet) => limit(() => lookup(wallet))));

  const columns = ['wallet', 'passport_id', 'score', 'connections', 'merged', 'main'];
  for (const s of SOURCES) columns.push(s, `${s}_followers`);
  const csv = await openCsv(out, columns);
  rows.sort((a, b) => b.score - a.score).forEach((row) => csv.write(row));
  await csv.close();
  console.log(`${rows.filter((r) => r.score > 0).length} of ${rows.length} wallets have a score`);
}
