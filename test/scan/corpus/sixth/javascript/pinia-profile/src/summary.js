import { usePassportStore } from './stores/passport';

const MONTH = 30 * 24 * 3600 * 1000;

export function isStale(passport, now = Date.now()) {
  if (!passport.last_calculated_at) return true; // read: passport.last_calculated_at
  return now - Date.parse(passport.last_calculated_at) > MONTH; // read: passport.last_calculated_at
}

export function summarise() {
  const store = usePassportStore();
  const { passport } = store;
  if (!passport) return null;

  const summary = {
    stale: isStale(passport),
    score: passport.calculating_score ? null : passport.score, // read: passport.calculating_score, passport.score
    socials: passport.passport_socials.map((social) => social.profile_url), // read: passport.passport_socials, passport.passport_socials[].profile_url
    place: passport.passport_profile.location, // read: passport.passport_profile.location
    columns: store.ui.tags,
  };
  return summary.score > 0 ? { ...summary, score: Math.round(summary.score) } : summary;
}
