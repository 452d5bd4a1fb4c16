import useSWR from "swr";
import { useMemo } from "react";

const fetcher = async (path: string) => {
  const r = await fetch(import.meta.env.VITE_REP_URL + path);
  if (!r.ok) throw new Error(r.statusText);
  return r.json();
};

export function usePassport(id?: string) {
  const { data, error, isLoading } = useSWR(id ? `/api/v1/passports/${id}` : null, fetcher); // call: passport
  return { passport: data?.passport, error, isLoading };
}

export function useCredentials(id?: string) {
  const { data } = useSWR(id ? `/api/v1/passport_credentials?passport_id=${id}` : null, fetcher); // call: passport-credentials

  return useMemo(() => {
    const groups: Record<string, any[]> = {};
    for (const item of data?.passport_credentials ?? []) { // hazard: fallback-default
      (groups[item.category] ||= []).push(item); // read: passport_credentials[].category
    }
    return groups;
  }, [data]);
}

export function useArticles(author: string) {
  const { data } = useSWR(`/api/v1/articles?author=${author}`, fetcher);
  return (data?.articles ?? []) as { id: string; name: string; score: number }[];
}
