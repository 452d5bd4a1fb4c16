import { ReputationClient } from "./client";

export interface Summary {
  wallet: string;
  score: number;
  completion: number;
  connections: number;
}

export async function summarize(client: ReputationClient, wallet: string): Promise<Summary> {
  const passport = await client.passport(wallet);
  const creds = await client.credentials(String(passport.passport_id)); // read: passport.passport_id
  const got = creds.reduce((n, c) => n + c.score, 0); // read: passport_credentials[].score
  const max = creds.reduce((n, { max_score }) => n + max_score, 0); // read: passport_credentials[].max_score
  return {
    wallet: passport.main_wallet ?? wallet, // read: passport.main_wallet
    score: passport.score, // read: passport.score
    completion: max === 0 ? 0 : got / max,
    connections: passport.connections_count ?? 0, // read: passport.connections_count; hazard: fallback-default
  };
}

export function render(s: Summary): string {
  return `${s.wallet}\t${s.score}\t${Math.round(s.completion * 100)}%\t${s.connections}`;
}
