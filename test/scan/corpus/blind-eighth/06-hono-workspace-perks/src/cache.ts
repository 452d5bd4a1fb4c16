import Redis from 'ioredis'
import { env } from './env'

const redis = new Redis(env.redis, { lazyConnect: true })

export async function cached<T>(key: string, ttl: number, produce: () => Promise<T>): Promise<T> {
  const hit = await redis.get(key)
  if (hit) return JSON.parse(hit) as T
  const value = await produce()
  if (value !== null && value !== undefined) {
    await redis.set(key, JSON.stringify(value), 'EX', ttl)
  }
  return value
}

export const forget = (key: string) => redis.del(key)
