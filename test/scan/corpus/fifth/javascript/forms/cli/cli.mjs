#!/usr/bin/env node
import { Command } from "commander";
import chalk from "chalk";
import Table from "cli-table3";
const program = new Command();
const api = (p, q = "") => fetch(`${process.env.REP_URL}/api/v1/${p}${q}`).then(async (r) => (r.ok ? r.json() : Promise.reject(new Error(r.statusText))));
program.command("show <id>").action(async (id) => {
  const { passport: me } = await api(`passports/${id}`); // call: passport
  const t = new Table({ head: ["k", "v"] });
  t.push(["score", me.score], ["human", me.human_checkmark ? "yes" : "no"]); // read: passport.score, passport.human_checkmark
  const counts = me.passport_socials.reduce((acc, s) => { acc[s.source] = Number(s.follower_count); return acc; }, {}); // read: passport.passport_socials, passport.passport_socials[].source, passport.passport_socials[].follower_count
  console.log(chalk.bold(me.passport_profile.display_name.trim()), counts); // read: passport.passport_profile.display_name
  const { score, ...others } = me; // read: passport.score
  console.log(others.activity_score); // read: passport.activity_score
});
program.command("top").option("-n <n>").action(async ({ n }) => {
  const all = [];
  let page = 1, meta;
  do { const b = await api("passports", `?page=${page++}`); all.push(...b.passports); meta = b.pagination; } while (meta.current_page < meta.last_page); // call: passport-list; read: pagination.current_page, pagination.last_page
  const sorted = all.sort((a, b) => b.score - a.score).slice(0, n); // read: passports[].score
  sorted.forEach((p, i) => console.log(i + 1, p.passport_profile.display_name || p.main_wallet)); // read: passports[].passport_profile.display_name, passports[].main_wallet
  const avg = sorted.map((p) => p.skills_score).reduce((a, b) => a + b, 0) / sorted.length; // read: passports[].skills_score
  const groups = Map.groupBy(all, (p) => p.passport_profile.location); // read: passports[].passport_profile.location
  for (const [loc, ps] of groups) console.log(loc, ps.length, ps[0].identity_score); // read: passports[].identity_score
});
program.parse();
