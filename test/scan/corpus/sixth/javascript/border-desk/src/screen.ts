import { listDocuments, readDocument, visaCredentials } from './travelDocuments';

export interface Decision {
  allowed: boolean;
  reason: string;
}

export async function screen(number: string): Promise<Decision> {
  const document = await readDocument(number);
  if (!document) return { allowed: false, reason: 'unreadable' };
  if (!document.verified) return { allowed: false, reason: 'not verified' };

  const visas = await visaCredentials(document.passport_id);
  const valid = visas.some((v: any) => parseInt(v.value, 10) > Date.now());
  const risk = document.score ?? 0;
  if (risk > 80) return { allowed: false, reason: `risk ${risk}` };
  return { allowed: valid || document.category === 'diplomatic', reason: document.location };
}

export async function busiest(keyword: string): Promise<number> {
  const { total, items } = await listDocuments(keyword);
  return items.length ? total / items.length : 0;
}
