import React from "react";
import { useQuery } from "@tanstack/react-query";

type Player = { id: string; score: number; max_score: number; name: string; category: string; verified_wallets: string[] };

const load = async (): Promise<{ players: Player[]; pagination: { total: number; last_page: number } }> =>
  (await fetch("https://arcade.example.com/api/v1/players")).json();

export function Board() {
  const { data } = useQuery({ queryKey: ["players"], queryFn: load });
  if (!data) return null;
  const sorted = [...data.players].sort((a, b) => b.score - a.score);
  return (
    <ol title={`${data.pagination.total} players`}>
      {sorted.map(({ id, name, score, category, verified_wallets: wallets }) => (
        <li key={id}>
          {name} {score ?? 0} {category} {wallets.length}
        </li>
      ))}
    </ol>
  );
}
