export const MIN_SCORE = 30;

// every 25 points one vote, humans count double
export function votingWeight(passport) {
  if (!passport) return 0;
  const base = Math.floor((passport.score || 0) / 25);
  return passport.human_checkmark ? base * 2 : base;
}

export const shorten = (address = '') => `${address.slice(0, 6)}...${address.slice(-4)}`;
