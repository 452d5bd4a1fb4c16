export interface CastAuthor {
  fid: number;
  username: string;
  display_name: string;
  follower_count: number;
  verified_addresses: { eth_addresses: string[] };
  experimental?: { neynar_user_score: number };
}

export async function userByFid(fid: number): Promise<CastAuthor> {
  const res = await fetch(`https://api.neynar.com/v2/farcaster/user/bulk?fids=${fid}`, {
    headers: { api_key: process.env.NEYNAR_API_KEY! },
  });
  if (!res.ok) throw new Error(`neynar ${res.status}`);
  const { users } = await res.json();
  return users[0];
}

// spam filter before we spend a talent request on somebody
export function looksReal(user: CastAuthor): boolean {
  const score = user.experimental?.neynar_user_score ?? 0;
  return score > 0.5 || user.follower_count > 200;
}
