type Service = { base: string; headers?: () => Record<string, string> }

export const services = {
  talent: {
    base: 'https://api.talentprotocol.com/api/v1',
    headers: () => ({ 'X-API-KEY': process.env.TALENT_PROTOCOL_API_KEY! }),
  },
  ens: { base: 'https://api.ensideas.com' },
  ranking: {
    base: process.env.RANKING_URL ?? 'http://localhost:4010',
    headers: () => ({ Authorization: `Bearer ${process.env.RANKING_TOKEN}` }),
  },
} satisfies Record<string, Service>

export class UpstreamError extends Error {
  constructor(
    readonly service: string,
    readonly status: number,
  ) {
    super(`${service} answered ${status}`)
  }
}

export async function callService<T>(name: keyof typeof services, path: string, revalidate = 900): Promise<T> {
  const service: Service = services[name]
  const res = await fetch(service.base + path, {
    headers: { Accept: 'application/json', ...service.headers?.() },
    next: { revalidate, tags: [name] },
  })
  if (!res.ok) throw new UpstreamError(name, res.status)
  return res.json() as Promise<T>
}
