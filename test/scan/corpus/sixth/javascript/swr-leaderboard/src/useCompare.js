import { useEffect, useState } from 'react';
import { API_ROOT } from './api';

export function useCompare(left, right) {
  const [result, setResult] = useState({ score: 0, shared: [] });

  useEffect(() => {
    let cancelled = false;
    Promise.all([
      fetch(`${API_ROOT}/api/v1/passports/${left}`).then((r) => r.json()), // call: passport
      fetch(`${API_ROOT}/api/v1/passports/${right}`).then((r) => r.json()), // call: passport
    ])
      .then(([{ passport: a }, { passport: b }]) => {
        if (cancelled) return;
        setResult({
          score: (a.score || 0) - (b.score || 0), // read: passport.score; hazard: fallback-default
          shared: a.verified_wallets.filter((w) => b.verified_wallets.includes(w)), // read: passport.verified_wallets[]
        });
      })
      .catch(() => setResult({ score: 0, shared: [] })); // hazard: catch-default
    return () => {
      cancelled = true;
    };
  }, [left, right]);

  return result;
}
