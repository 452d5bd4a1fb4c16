import React, { useEffect, useState } from 'react';
import { usePassport } from '../context/PassportContext';
import { getProposals, vote } from '../utils/coopApi';
import { votingWeight } from '../utils/weight';

export default function Proposals() {
  const { passport } = usePassport();
  const [proposals, setProposals] = useState([]);
  const weight = votingWeight(passport);

  useEffect(() => {
    getProposals().then(setProposals);
  }, []);

  return (
    <ol>
      {proposals.map((p) => (
        <li key={p.id}>
          <b>{p.name}</b> {p.score} votes, {p.category}
          <button disabled={!weight} onClick={() => vote(p.id, passport.main_wallet, weight)}>
            Vote with {weight}
          </button>
        </li>
      ))}
    </ol>
  );
}
