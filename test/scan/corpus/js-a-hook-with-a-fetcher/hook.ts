import useSWR from "swr";

const fetcher = (url: string) => fetch(url).then((res) => res.json());

export function usePassport(id: string | undefined) {
  const { data, error } = useSWR(id ? `/api/v1/passports/${id}` : null, fetcher); // call: passport
  return { passport: data?.passport, error };
}

export function useBadge(id: string) {
  const { passport } = usePassport(id);
  const followers = passport?.passport_socials?.map((s) => Number(s.follower_count)).reduce((a, b) => a + b, 0); // read: passport.passport_socials, passport.passport_socials[].follower_count
  return { human: passport?.human_checkmark ?? false, followers }; // read: passport.human_checkmark; hazard: fallback-default
}
