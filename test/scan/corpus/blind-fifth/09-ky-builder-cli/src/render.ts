import chalk from "chalk";
import type { CredentialRecord, PassportRecord } from "./api.js";

export function headline(p: PassportRecord): string {
  const name = p.passport_profile?.display_name ?? p.main_wallet;
  const check = p.human_checkmark ? chalk.green(" ✔") : "";
  return `${chalk.bold(name)}${check} ${chalk.yellow(p.score)}`;
}

export function details(p: PassportRecord): string[] {
  const out = [headline(p)];
  if (p.passport_profile) {
    const { location, tags = [] } = p.passport_profile;
    if (location) out.push(`  in ${location}`);
    if (tags.length) out.push(`  ${tags.map((t) => chalk.dim("#" + t)).join(" ")}`);
  }
  if (p.connections_count !== undefined) out.push(`  ${p.connections_count} connections`);
  for (const social of p.passport_socials ?? []) {
    out.push(`  ${social.source.padEnd(10)} ${social.profile_url ?? social.profile_name}`);
  }
  return out;
}

export function credentialTable(credentials: CredentialRecord[]): string {
  const width = Math.max(...credentials.map((c) => c.name.length));
  const groups = Map.groupBy(credentials, (c) => c.category);
  let text = "";
  for (const [title, items] of groups) {
    text += chalk.underline(title) + "\n";
    for (const { name, score, max_score } of items) {
      const filled = Math.round((10 * score) / max_score);
      text += `  ${name.padEnd(width)} ${"█".repeat(filled)}${"░".repeat(10 - filled)}\n`;
    }
  }
  return text;
}
