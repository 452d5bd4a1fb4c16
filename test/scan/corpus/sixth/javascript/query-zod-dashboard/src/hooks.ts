import { useQuery } from '@tanstack/react-query';
import axios from 'axios';
import { credentialsResponse, passportResponse } from './schemas';

const http = axios.create({ baseURL: '/proxy/reputation' });

export function usePassport(id: string) {
  return useQuery({
    queryKey: ['passport', id],
    enabled: Boolean(id),
    queryFn: async () => {
      const res = await http.get(`/api/v1/passports/${id}`); // call: passport
      return passportResponse.parse(res.data).passport;
    },
  });
}

export function useCredentials(passportId?: number) {
  return useQuery({
    queryKey: ['credentials', passportId],
    enabled: passportId !== undefined,
    queryFn: async () => {
      const res = await http.get('/api/v1/passport_credentials', { params: { passport_id: passportId } }); // call: passport-credentials
      return credentialsResponse.parse(res.data).passport_credentials;
    },
    select: (items) => [...items].sort((a, b) => b.score - a.score), // read: passport_credentials[].score
  });
}

// The audit trail lives in our own backend and only looks alike.
export function useAudit(id: string) {
  return useQuery({
    queryKey: ['audit', id],
    queryFn: async () => {
      const res = await axios.get(`/backend/api/v2/passports/${id}/audit`);
      return res.data.entries.map((e: any) => ({ id: e.id, type: e.type, score: e.score }));
    },
  });
}
