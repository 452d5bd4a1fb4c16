import useSWR from "swr";
import useSWRInfinite from "swr/infinite";
const fetcher = (url: string) => fetch(url).then((r) => r.json());
export function usePassport(id: string) {
  const { data, error } = useSWR(`/api/v1/passports/${id}`, fetcher); // call: passport
  return { passport: data?.passport, failed: error };
}
export function usePages() {
  const { data } = useSWRInfinite((i) => `/api/v1/passports?page=${i}`, fetcher); // call: passport-list
  return data?.flatMap((page) => page.passports).map((p) => p.main_wallet); // read: passports[].main_wallet
}
