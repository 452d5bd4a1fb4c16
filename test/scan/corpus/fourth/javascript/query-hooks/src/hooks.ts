import { useQuery, useInfiniteQuery } from "@tanstack/react-query";
import { http } from "./http";

export function usePassport(id?: string) {
  return useQuery({
    queryKey: ["passport", id],
    enabled: Boolean(id),
    queryFn: async () => (await http(`/api/v1/passports/${id}`)).passport, // call: passport
  });
}

export function usePeople(keyword: string) {
  return useInfiniteQuery({
    queryKey: ["people", keyword],
    initialPageParam: 1,
    queryFn: ({ pageParam }) => http(`/api/v1/passports?keyword=${keyword}&page=${pageParam}`), // call: passport-list
    getNextPageParam: (last: any) =>
      last.pagination.current_page < last.pagination.last_page ? last.pagination.current_page + 1 : undefined, // read: pagination.current_page, pagination.last_page
  });
}

export function useTrips(user: string) {
  return useQuery({
    queryKey: ["trips", user],
    queryFn: () => fetch(`https://trips.example.com/v1/passport/${user}/trips`).then((r) => r.json()),
  });
}
