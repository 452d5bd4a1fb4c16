import type { Person } from './reputation'

export function applyFrontmatter(fm: Record<string, unknown>, person: Person) {
  fm['reputation'] = person.score
  fm['wallet'] ??= person.main_wallet
  fm['reputation-updated'] = person.last_calculated_at?.slice(0, 10)
  const { location, tags = [] } = person.passport_profile
  const places = [location, ...(person.passport_socials ?? []).map((s) => s.location)].filter(Boolean)
  if (places.length) fm['location'] = places[0]
  fm['tags'] = [...new Set([...((fm['tags'] as string[]) ?? []), ...tags.map((t) => t.replace(/\s+/g, '-'))])]
}

export function socialsTable(person: Person): string {
  const rows = person.passport_socials?.map(
    (s) => `| ${s.source} | [${s.profile_display_name ?? '?'}](${s.profile_url}) | ${s['follower_count'] ?? ''} |`,
  )
  return ['| network | profile | followers |', '|---|---|---|', ...(rows ?? [])].join('\n')
}

export function replaceBlock(content: string, id: string, block: string): string {
  const [open, close] = [`%% ${id} %%`, `%% /${id} %%`]
  const wrapped = `${open}\n${block}\n${close}`
  const start = content.indexOf(open)
  if (start < 0) return `${content.trimEnd()}\n\n${wrapped}\n`
  return content.slice(0, start) + wrapped + content.slice(content.indexOf(close) + close.length)
}
