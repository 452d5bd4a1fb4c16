const api = (path: string) => new URL(`/api/v1/${path}`, import.meta.env.TALENT_ORIGIN)

const init: RequestInit = { headers: { 'x-api-key': import.meta.env.TALENT_TOKEN } }

const memo = new Map<string, Promise<any>>()

function load(path: string): Promise<any> {
  if (!memo.has(path)) {
    memo.set(
      path,
      fetch(api(path), init).then(async (r) => {
        if (r.status >= 400) throw new Error(`${r.status} ${await r.text()}`)
        return r.json()
      }),
    )
  }
  return memo.get(path)!
}

/** Everybody on the first `pages` pages, people without a name left out. */
export async function everybody(pages = 8) {
  const people: any[] = []
  for (let n = 1; n <= pages; n++) {
    const { passports, pagination } = await load(`passports?page=${n}`)
    people.push(...passports.filter((x: any) => x.passport_profile?.display_name))
    if (n >= pagination.last_page) break
  }
  return people
}

export async function person(id: string | number) {
  const { passport } = await load(`passports/${id}`)
  return passport
}

export async function badges(id: string | number) {
  try {
    const { passport_credentials } = await load(`passport_credentials?passport_id=${id}`)
    return passport_credentials
  } catch (reason) {
    console.warn(`no badges for ${id}:`, reason)
    return []
  }
}
