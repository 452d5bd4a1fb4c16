import type { ForumPost } from './types'

export async function postsOf(wallet: string): Promise<ForumPost[]> {
  const res = await fetch(`${process.env.FORUM_URL}/posts.json?author=${wallet}`, { cache: 'no-store' })
  if (!res.ok) return []
  return (await res.json()).posts
}
