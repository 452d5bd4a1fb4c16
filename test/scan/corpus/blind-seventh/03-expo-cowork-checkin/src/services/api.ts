import Constants from 'expo-constants';

const { talentUrl, talentKey, deskUrl } = Constants.expoConfig!.extra as {
  talentUrl: string;
  talentKey: string;
  deskUrl: string;
};

async function request<T>(base: string, path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(base + path, init);
  if (response.status === 404) {
    return null as T;
  }
  if (!response.ok) {
    throw new Error(`${path}: ${response.status}`);
  }
  return (await response.json()) as T;
}

export const talentGet = <T,>(path: string) =>
  request<T>(talentUrl, `/api/v1${path}`, { headers: { 'X-API-KEY': talentKey } });

export const desk = {
  members: () => request<DeskMember[]>(deskUrl, '/members'),
  checkIn: (wallet: string, seat: string) =>
    request<{ ok: boolean }>(deskUrl, '/checkins', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ wallet, seat }),
    }),
};

export interface DeskMember {
  id: string;
  wallet: string;
  name: string;
  score: number; // stars of the house, 1 to 5
  location: string;
}
