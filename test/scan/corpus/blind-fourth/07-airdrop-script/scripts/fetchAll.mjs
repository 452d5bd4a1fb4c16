import { CREDENTIALS_URL, PASSPORTS_URL, headers } from './config.mjs'

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

export async function fetchAllPassports(minScore) {
  const all = []
  let page = 1
  let lastPage = 1

  do {
    const params = new URLSearchParams({ page: page.toString() })
    const response = await fetch(`${PASSPORTS_URL}?${params}`, { headers: headers() })
    if (!response.ok) {
      throw new Error(`page ${page}: HTTP ${response.status}`)
    }
    const { passports, pagination: { last_page, total } } = await response.json()
    lastPage = last_page
    all.push(...passports.filter((p) => p.score >= minScore && !p.calculating_score))
    console.log(`page ${page}/${lastPage}, ${all.length} of ${total}`)

    // sorted by score, so nothing good follows
    if (passports.at(-1)?.score < minScore) break
    page++
    await sleep(400)
  } while (page <= lastPage)

  return all
}

export async function fetchCredentials(passportId) {
  try {
    const url = new URL(CREDENTIALS_URL)
    url.searchParams.append('passport_id', passportId)
    const response = await fetch(url, { headers: headers() })
    const json = await response.json()
    return json.passport_credentials || []
  } catch (e) {
    console.warn(`credentials of ${passportId}: ${e.message}`)
    return []
  }
}
