"use client";
import { useEffect, useState } from "react";

type Card = { points: number; bio: string; score?: number; links: { href: string; img: string; fans: number }[] };

export default function CardPage({ wallet }: { wallet: string }) {
  const [card, setCard] = useState<Card | null>(null);

  useEffect(() => {
    fetch(`/api/card/${wallet}`)
      .then((r) => r.json())
      .then(setCard);
  }, [wallet]);

  if (!card) return <p>Loading</p>;
  return (
    <section>
      <h1>{card.points}</h1>
      <p>{card.bio}</p>
      {card.links.map((l) => (
        <a key={l.href} href={l.href}>{l.fans}</a>
      ))}
    </section>
  );
}
