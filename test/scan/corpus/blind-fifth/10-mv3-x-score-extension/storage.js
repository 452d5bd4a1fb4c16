export async function getApiKey() {
  const { apiKey } = await chrome.storage.sync.get({ apiKey: '' })
  return apiKey
}

export async function recall(handle) {
  const key = 'h:' + handle
  const entry = (await chrome.storage.local.get(key))[key]
  if (!entry || Date.now() - entry.at > 86400000) return undefined
  return entry.value
}

export function remember(handle, value) {
  return chrome.storage.local.set({ ['h:' + handle]: { at: Date.now(), value } })
}
