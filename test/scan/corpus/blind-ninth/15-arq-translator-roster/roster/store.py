from redis.asyncio import Redis


class Store:
    def __init__(self, redis: Redis) -> None:
        self.redis = redis

    async def save(self, ident: int, entry: dict, rank: float) -> None:
        async with self.redis.pipeline(transaction=True) as pipe:
            pipe.hset(f"translator:{ident}", mapping=entry)
            pipe.zadd(f"translators:{entry['language'].lower()}", {str(ident): rank})
            await pipe.execute()

    async def top(self, language: str, size: int = 20) -> list[dict]:
        idents = await self.redis.zrevrange(f"translators:{language}", 0, size - 1)
        entries = [await self.redis.hgetall(f"translator:{int(i)}") for i in idents]
        return sorted(entries, key=lambda e: float(e["score"]), reverse=True)
