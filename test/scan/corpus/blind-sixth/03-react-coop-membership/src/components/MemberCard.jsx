import React from 'react';
import { usePassport } from '../context/PassportContext';
import { MIN_SCORE, shorten, votingWeight } from '../utils/weight';

export default function MemberCard() {
  const { status, passport, credentials, membership, refresh } = usePassport();

  if (status === 'idle') return <p>Connect your wallet first.</p>;
  if (status === 'loading') return <p>Loading…</p>;
  if (!passport) return <p>You have no passport yet.</p>;

  const { passport_profile, verified_wallets = [], passport_socials = [] } = passport;
  const twitter = passport_socials.find((s) => s.source === 'twitter');
  const skills = credentials.filter((c) => c.category === 'Skills');
  const missing = MIN_SCORE - passport.score;

  return (
    <div className="card">
      <h2>{passport_profile?.display_name || shorten(passport.main_wallet)}</h2>
      <small>{passport_profile?.location}</small>
      <p>
        Score {passport.score} of {MIN_SCORE} {missing > 0 && <>({missing} to go)</>}
      </p>
      {passport.calculating_score && <p>Your score is being updated.</p>}
      <p>Voting weight: {votingWeight(passport)}</p>
      <p>
        Member since {membership?.joined_at ?? '—'}, credit {membership?.score}
      </p>
      {twitter && (
        <a href={twitter.profile_url}>
          @{twitter.profile_name} ({twitter.follower_count})
        </a>
      )}
      <ul>
        {verified_wallets.map((w) => (
          <li key={w}>{shorten(w)}</li>
        ))}
      </ul>
      <h3>Skills</h3>
      {skills.map((c) => (
        <div key={c.id} title={c.type}>
          {c.name}: {c.value} <span>{c.score}/{c.max_score}</span>
        </div>
      ))}
      <button onClick={refresh}>Refresh</button>
    </div>
  );
}
