import { useQueries, useQuery } from "@tanstack/react-query";
import { one } from "./api";
export function Many({ ids }: { ids: string[] }) {
  const results = useQueries({ queries: ids.map((id) => ({ queryKey: ["p", id], queryFn: () => one(id) })) });
  const q = useQuery(["x"], () => one("1"));
  return <>{results.map((r) => <i>{r.data?.passport.score}</i>)}{q.data.passport.merged}</>; // read: passport.score, passport.merged
}
