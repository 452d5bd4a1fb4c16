import { useCredsQuery, usePersonQuery } from "./api";
import { useQuery, useSuspenseQuery, queryOptions, useInfiniteQuery, useQueries } from "@tanstack/react-query";
import useSWR from "swr";
const byName = (items) => items.toSorted((a, b) => a.name.localeCompare(b.name)); // read: passport_credentials[].name
const get = (url) => fetch(url).then((r) => r.json());
const options = (id) => queryOptions({
  queryKey: ["c", id],
  queryFn: () => get("/api/v1/passport_credentials?passport_id=" + id).then((b) => b.passport_credentials), // call: passport-credentials
  select: byName,
});
const logger = (useNext) => (key, fetcher, config) => { const swr = useNext(key, fetcher, config); return { ...swr, extra: 1 }; };
export function X({ id }) {
  const { data: person } = usePersonQuery(id);
  const { data: creds, isLoading } = useCredsQuery(person?.passport_id); // read: passport.passport_id
  const q = useQuery(options(person.passport_id)); // read: passport.passport_id
  const s = useSuspenseQuery({ ...options(id), select: (xs) => xs.slice(0, 3) });
  const pages = useInfiniteQuery({
    queryKey: ["l", person.passport_id], // read: passport.passport_id
    queryFn: ({ pageParam }) => get(`/api/v1/passports?page=${pageParam}`), // call: passport-list
    select: (data) => data.pages.flatMap((p) => p.passports),
    getNextPageParam: (last) => last.pagination.next_page,
  });
  const many = useQueries({ queries: [options(1), options(2)], combine: (rs) => rs.flatMap((r) => r.data ?? []) }); // hazard: fallback-default
  const w = useSWR(`/api/v1/passports/${id}`, get, { use: [logger] }); // call: passport
  creds.map((c) => c.max_score); // read: passport_credentials[].max_score
  q.data?.map((c) => c.earned_at); // read: passport_credentials[].earned_at
  s.data.map((c) => c.value); // read: passport_credentials[].value
  pages.data?.map((p) => p.main_wallet); // read: passports[].main_wallet
  many.map((c) => c.last_calculated_at); // read: passport_credentials[].last_calculated_at
  return <p>{w.data.passport.score}{creds.length}{isLoading}</p>; // read: passport.score
}
