import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { talentGet } from '../services/api';
import type { Credential, Passport } from '../services/passport.types';

type ListResponse = {
  passports: Passport[];
  pagination: { current_page: number; last_page: number };
};

export function usePassport(wallet?: string) {
  return useQuery({
    queryKey: ['passport', wallet],
    enabled: !!wallet,
    staleTime: 5 * 60_000,
    queryFn: async () => {
      const body = await talentGet<{ passport: Passport } | null>(`/passports/${wallet}`);
      return body?.passport ?? null;
    },
  });
}

export function useCredentials(passportId?: number) {
  return useQuery({
    queryKey: ['credentials', passportId],
    enabled: passportId != null,
    queryFn: () =>
      talentGet<{ passport_credentials: Credential[] }>(`/passport_credentials?passport_id=${passportId}`),
    select: (body) => body.passport_credentials.filter((c) => c.score > 0),
  });
}

export function useDirectory(keyword: string) {
  return useInfiniteQuery({
    queryKey: ['directory', keyword],
    initialPageParam: 1,
    queryFn: ({ pageParam }) =>
      talentGet<ListResponse>(`/passports?page=${pageParam}&keyword=${encodeURIComponent(keyword)}`),
    getNextPageParam: ({ pagination }) =>
      pagination.current_page < pagination.last_page ? pagination.current_page + 1 : undefined,
  });
}
