import React, { useState } from 'react';
import useMemberSearch from '../hooks/useMemberSearch';
import { MIN_SCORE } from '../utils/weight';

export default function Invite({ onInvite }) {
  const [keyword, setKeyword] = useState('');
  const { results, hasMore, error, more } = useMemberSearch(keyword);

  return (
    <section>
      <input value={keyword} onChange={(e) => setKeyword(e.target.value)} placeholder="Name" />
      {error && <p className="error">{error.message}</p>}
      {results
        .filter((r) => r.score >= MIN_SCORE)
        .map((r) => (
          <div key={r.passport_id}>
            <b>{r.passport_profile?.display_name}</b> {r.passport_profile?.tags?.join(' · ')}
            <button onClick={() => onInvite(r.main_wallet)}>Invite</button>
          </div>
        ))}
      {hasMore && <button onClick={more}>More</button>}
    </section>
  );
}
