export const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms))

export class HttpError extends Error {
  constructor(public status: number, public url: string) {
    super(`${status} for ${url}`)
  }
}

export async function withRetry<T>(fn: () => Promise<T>, attempts = 4): Promise<T> {
  let last: unknown
  for (let i = 0; i < attempts; i++) {
    try {
      return await fn()
    } catch (e) {
      last = e
      if (e instanceof HttpError && e.status < 500 && e.status !== 429) throw e
      await sleep(2 ** i * 500)
    }
  }
  throw last
}
