import type { Credential, Passport } from "./passport-api";

export type Verdict = { eligible: boolean; reasons: string[]; points: number };

const WANTED = ["github_repositories", "active_wallet", "base_basecamp"];

export function judge(passport: Passport, credentials: Credential[]): Verdict {
  const reasons: string[] = [];
  if (passport.score < 30) reasons.push("Score below 30");
  if (!passport.human_checkmark) reasons.push("No human checkmark");
  if (!passport.verified_wallets.length) reasons.push("No verified wallet");

  const matching = credentials.filter((c) => WANTED.includes(c.type));
  const early = matching.filter((c) => c.earned_at && new Date(c.earned_at) < new Date("2024-06-01"));

  return {
    eligible: reasons.length === 0,
    reasons,
    points: passport.skills_score + matching.length * 5 + early.length * 2,
  };
}
