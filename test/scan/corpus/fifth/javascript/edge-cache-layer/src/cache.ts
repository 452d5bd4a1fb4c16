import { createClient } from "redis";

const redis = createClient({ url: process.env.REDIS_URL });

export async function remember<T>(key: string, ttl: number, load: () => Promise<T>): Promise<T> {
  if (!redis.isOpen) await redis.connect();
  const hit = await redis.get(key);
  if (hit) return JSON.parse(hit) as T;
  const fresh = await load();
  await redis.set(key, JSON.stringify(fresh), { EX: ttl });
  return fresh;
}

export async function forget(key: string): Promise<void> {
  if (!redis.isOpen) await redis.connect();
  await redis.del(key);
}
