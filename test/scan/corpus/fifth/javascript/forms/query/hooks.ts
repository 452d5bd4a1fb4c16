import { useQuery, useQueries, useInfiniteQuery, queryOptions, useMutation, useSuspenseQuery } from "@tanstack/react-query";
const api = async <T,>(path: string): Promise<T> => {
  const r = await fetch(`${import.meta.env.VITE_API}/api/v1${path}`);
  if (!r.ok) throw new Error(`${r.status}`);
  return r.json() as Promise<T>;
};
export const keys = { one: (id: string) => ["passport", id] as const };
export const passportQuery = (id: string) => queryOptions({ queryKey: keys.one(id), queryFn: () => api<any>(`/passports/${id}`), select: (b) => b.passport }); // call: passport
export const usePassport = (id: string) => useSuspenseQuery(passportQuery(id));
export const useMany = (ids: string[]) => useQueries({ queries: ids.map((id) => passportQuery(id)), combine: (rs) => rs.map((r) => r.data?.score) }); // read: passport.score
export const useList = (q: string) => useInfiniteQuery({
  queryKey: ["list", q],
  queryFn: ({ pageParam }) => api<any>(`/passports?keyword=${q}&page=${pageParam}`), // call: passport-list
  initialPageParam: 1,
  getNextPageParam: (last) => (last.pagination.current_page < last.pagination.last_page ? last.pagination.current_page + 1 : undefined), // read: pagination.current_page, pagination.last_page
});
