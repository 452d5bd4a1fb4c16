import type { Passport, PassportCredential } from './types';

export function ownsWallet(passport: Passport, wallet: string): boolean {
  const needle = wallet.toLowerCase();
  return [passport.main_wallet, ...passport.verified_wallets].some((w) => w?.toLowerCase() === needle);
}

export function isFresh(passport: Passport, days = 30): boolean {
  if (passport.calculating_score || !passport.last_calculated_at) return false;
  return Date.now() - Date.parse(passport.last_calculated_at) < days * 86_400_000;
}

export function progress(credentials: PassportCredential[]): Record<string, number> {
  const out: Record<string, number> = {};
  for (const { type, score, max_score } of credentials) {
    out[type] = max_score > 0 ? score / max_score : 0;
  }
  return out;
}
