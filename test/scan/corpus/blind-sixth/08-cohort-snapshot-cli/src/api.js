import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = process.env.TALENT_API_URL ?? 'https://api.talentprotocol.com';

const ROUTES = {
  passports: '/api/v1/passports',
  credentials: '/api/v1/passport_credentials',
};

export class ApiError extends Error {
  constructor(url, status) {
    super(`GET ${url.pathname} failed with ${status}`);
    this.status = status;
  }
}

async function getJson(route, params = {}, attempt = 1) {
  const url = new URL(route, ROOT);
  for (const [key, value] of Object.entries(params)) {
    if (value !== undefined) url.searchParams.set(key, value);
  }
  const res = await fetch(url, { headers: { 'X-API-KEY': process.env.TALENT_API_KEY ?? '' } });
  if ((res.status === 429 || res.status >= 500) && attempt < 4) {
    await sleep(attempt * 2500);
    return getJson(route, params, attempt + 1);
  }
  if (!res.ok) throw new ApiError(url, res.status);
  return res.json();
}

export async function* pages(keyword, maxPages) {
  let page = 1;
  let last = 1;
  while (page <= last && page <= maxPages) {
    const { passports, pagination } = await getJson(ROUTES.passports, { keyword, page });
    last = pagination?.last_page ?? 1;
    yield { page, last, total: pagination?.total, passports };
    page += 1;
    await sleep(400);
  }
}

export const getPassport = (id) => getJson(`${ROUTES.passports}/${id}`).then((json) => json.passport);

export const getCredentials = async (id) => {
  const { passport_credentials: list } = await getJson(ROUTES.credentials, { passport_id: id });
  return list;
};
