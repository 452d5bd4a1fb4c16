import { useQuery, queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { getPassport } from "./api";
export const passportOptions = (id: string) => queryOptions({ queryKey: ["p", id], queryFn: () => getPassport(id) });
export const useScore = (id: string) =>
  useQuery({ queryKey: ["p", id], queryFn: () => getPassport(id), select: (body) => body.passport });
export const useWhole = (id: string) => useSuspenseQuery(passportOptions(id));
