import { getApiKey, remember, recall } from './storage.js'

const ENDPOINT = 'https://api.talentprotocol.com/api/v1/passports'

async function lookup(handle) {
  const cached = await recall(handle)
  if (cached !== undefined) return cached

  const apiKey = await getApiKey()
  const response = await fetch(`${ENDPOINT}?keyword=${encodeURIComponent(handle)}`, {
    headers: { 'X-API-KEY': apiKey },
  })
  const data = await response.json()
  const candidates = data.passports || []

  for (const candidate of candidates.slice(0, 3)) {
    const passport = await details(candidate.passport_id, apiKey)
    if (!passport) continue
    const twitter = passport.passport_socials.find((s) => s.source === 'twitter')
    if (twitter && twitter.profile_name.toLowerCase() === handle.toLowerCase()) {
      await remember(handle, passport)
      return passport
    }
  }

  await remember(handle, null)
  return null
}

async function details(id, apiKey) {
  const response = await fetch(ENDPOINT + '/' + id, { headers: { 'X-API-KEY': apiKey } })
  if (response.status !== 200) return null
  return (await response.json()).passport
}

chrome.runtime.onMessage.addListener((message, sender, sendResponse) => {
  if (message.type !== 'lookup') return
  lookup(message.handle)
    .then((passport) => sendResponse({ passport }))
    .catch((error) => {
      console.error('lookup', message.handle, error)
      sendResponse({ passport: null })
    })
  return true // keep the channel open
})

chrome.alarms.create('clean', { periodInMinutes: 60 })
chrome.alarms.onAlarm.addListener(async () => {
  const all = await chrome.storage.local.get(null)
  const old = Object.keys(all).filter((k) => k.startsWith('h:') && Date.now() - all[k].at > 86400000)
  await chrome.storage.local.remove(old)
})
