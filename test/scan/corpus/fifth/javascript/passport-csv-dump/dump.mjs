#!/usr/bin/env node
import { createWriteStream } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import _ from "lodash";

const [, , out = "passports.csv"] = process.argv;
const root = process.env.API_ROOT;

const COLUMNS = [
  ["id", "passport_id"], // read: passports[].passport_id
  ["name", "passport_profile.display_name"], // read: passports[].passport_profile.display_name
  ["where", "passport_profile.location"], // read: passports[].passport_profile.location
  ["wallet", "main_wallet"], // read: passports[].main_wallet
  ["total", "score"], // read: passports[].score
  ["fresh", "last_calculated_at"], // read: passports[].last_calculated_at
];

const quote = (v) => `"${String(v ?? "").replaceAll('"', '""')}"`;

async function page(n) {
  const res = await fetch(`${root}/api/v1/passports?page=${n}`, { // call: passport-list
    headers: { "X-API-KEY": process.env.API_KEY },
  });
  if (res.status === 429) {
    await sleep(10_000);
    return page(n);
  }
  if (!res.ok) throw new Error(`page ${n}: ${res.status}`);
  return res.json();
}

const file = createWriteStream(out);
file.write(COLUMNS.map(([head]) => head).join(",") + "\n");

let n = 1;
let last = 1;
do {
  const body = await page(n);
  last = _.get(body, "pagination.last_page", 1); // read: pagination.last_page
  for (const p of body.passports) {
    file.write(COLUMNS.map(([, path]) => quote(_.get(p, path))).join(",") + "\n");
  }
  process.stderr.write(`\r${n}/${last} of ${body.pagination.total}`); // read: pagination.total
  n += 1;
} while (n <= last);
file.end();
