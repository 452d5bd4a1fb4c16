export class HttpError extends Error {
  constructor(public status: number, message: string) {
    super(message)
  }
}

export interface Cache {
  get<T>(key: string): T | undefined
  set(key: string, value: unknown, ttlSeconds: number): void
}

export class MemoryCache implements Cache {
  private readonly store = new Map<string, { value: unknown; until: number }>()

  get<T>(key: string): T | undefined {
    const entry = this.store.get(key)
    return entry && entry.until > Date.now() ? (entry.value as T) : undefined
  }

  set(key: string, value: unknown, ttlSeconds: number) {
    this.store.set(key, { value, until: Date.now() + ttlSeconds * 1000 })
  }
}
