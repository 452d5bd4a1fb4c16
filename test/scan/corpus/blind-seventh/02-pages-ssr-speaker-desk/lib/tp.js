const BASE = process.env.TP_BASE_URL || 'https://api.talentprotocol.com/api/v1';

export class UpstreamError extends Error {
  constructor(status, path) {
    super(`upstream answered ${status} for ${path}`);
    this.status = status;
  }
}

export async function tp(path, query = {}) {
  const qs = new URLSearchParams(
    Object.entries(query).filter(([, v]) => v !== undefined && v !== '')
  ).toString();
  const r = await fetch(`${BASE}/${path}${qs ? `?${qs}` : ''}`, {
    headers: { Accept: 'application/json', 'X-API-KEY': process.env.TP_KEY },
  });
  if (!r.ok) throw new UpstreamError(r.status, path);
  return r.json();
}

export function shortWallet(address) {
  return address ? address.slice(0, 6) + '...' + address.slice(-4) : 'no wallet';
}
