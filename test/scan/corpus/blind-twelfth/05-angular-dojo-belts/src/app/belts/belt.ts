import { Passport } from '../models/reputation.model';

const BELTS: ReadonlyArray<[min: number, belt: string]> = [
  [120, 'black'],
  [80, 'brown'],
  [50, 'blue'],
  [20, 'yellow'],
];

export function beltFor({ score, human_checkmark }: Passport): string {
  if (!human_checkmark) return 'white';
  return BELTS.find(([min]) => score >= min)?.[1] ?? 'white';
}

export function strongestSide(passport: Passport): string {
  const sides = {
    Activity: passport.activity_score,
    Identity: passport.identity_score,
    Skills: passport.skills_score,
  };
  return Object.entries(sides).sort(([, a], [, b]) => b - a)[0][0];
}
