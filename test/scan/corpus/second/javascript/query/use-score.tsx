import { useQuery } from "@tanstack/react-query";

async function fetchScore(wallet: string): Promise<number> {
  const r = await fetch(process.env.NEXT_PUBLIC_API + "/api/v1/passports/" + wallet); // call: passport
  if (r.status === 200) { // hazard: status-default
    const body = await r.json();
    return body.passport.score; // read: passport.score
  }
  return 0;
}

export function Score({ wallet }: { wallet: string }) {
  const { data, isLoading } = useQuery({ queryKey: ["score", wallet], queryFn: () => fetchScore(wallet) });
  return isLoading ? <i>…</i> : <b>{data}</b>;
}
