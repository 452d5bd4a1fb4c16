import { createClient } from '@supabase/supabase-js'

const supabase = createClient(process.env.SUPABASE_URL, process.env.SUPABASE_SERVICE_KEY)

export async function getWalker(slug) {
  const { data, error } = await supabase
    .from('walkers')
    .select('slug, name, wallet, price, rating, dogs_walked')
    .eq('slug', slug)
    .single()
  if (error) throw error
  return data
}

export async function saveTrust(slug, trust) {
  const { error } = await supabase.from('walkers').update({ trust }).eq('slug', slug)
  if (error) throw error
}
