import axios from 'axios';

export interface TravelDocument {
  passport_id: string;
  category: 'ordinary' | 'diplomatic' | 'service';
  name: string;
  location: string;
  verified: boolean;
  score: number;
}

const documents = axios.create({ baseURL: 'https://documents.gov.example' });
const registry = axios.create({ baseURL: 'https://registry.example/api/v2' });

export async function readDocument(number: string): Promise<TravelDocument | null> {
  try {
    const { data } = await documents.get(`/v1/passport/${number}`);
    return data.passport;
  } catch {
    return null;
  }
}

export async function listDocuments(keyword: string) {
  const { data } = await registry.get('/passports', { params: { keyword } });
  return {
    total: data.pagination.total,
    items: data.passports.map((p: any) => ({ id: p.passport_id, score: p.score ?? 0 })),
  };
}

export async function visaCredentials(passportId: string) {
  const { data } = await axios.get(`https://registry.example/api/v2/passport_credentials`, {
    params: { passport_id: passportId },
  });
  return data.passport_credentials.filter((c: any) => c.type === 'visa');
}
