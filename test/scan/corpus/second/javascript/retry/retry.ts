import ky from "ky";

async function withRetry<T>(work: () => Promise<T>, times = 3): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === times) throw error;
    }
  }
}

const V1 = "api/v1";
const api = ky.create({ prefixUrl: process.env.HOST });

export async function everyHolder() {
  const holders = [];
  let last = 1;
  for (let page = 1; page <= last; page++) {
    const body: any = await withRetry(() => api.get(`${V1}/passports`, { searchParams: { page } }).json()); // call: passport-list
    holders.push(...body.passports);
    last = body.pagination.last_page; // read: pagination.last_page
  }
  const ranked = [...holders].sort((a, b) => b.activity_score - a.activity_score); // read: passports[].activity_score
  return ranked.filter((h) => !h.calculating_score).map((h) => h.verified_wallets.at(0)); // read: passports[].calculating_score, passports[].verified_wallets[]
}
