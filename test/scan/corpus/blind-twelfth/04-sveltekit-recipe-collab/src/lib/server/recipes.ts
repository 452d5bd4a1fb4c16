import { createClient } from '@supabase/supabase-js'
import { env } from '$env/dynamic/private'

const supabase = createClient(env.SUPABASE_URL, env.SUPABASE_SERVICE_KEY)

export interface Recipe {
  slug: string
  title: string
  score: number
  tags: string[]
}

export async function recipesBy(wallets: string[]): Promise<Recipe[]> {
  const { data, error } = await supabase
    .from('recipes')
    .select('slug, title, score, tags')
    .in('author_wallet', wallets)
    .order('score', { ascending: false })
  if (error) throw error
  return data
}
