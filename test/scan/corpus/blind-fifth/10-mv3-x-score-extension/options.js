import { getApiKey } from './storage.js'

const input = document.querySelector('#api-key')
const status = document.querySelector('#status')

getApiKey().then((key) => {
  input.value = key
})

document.querySelector('#test').addEventListener('click', async () => {
  status.textContent = 'Testing…'
  try {
    const res = await fetch('https://api.talentprotocol.com/api/v1/passport_credentials?passport_id=1', {
      headers: { 'X-API-KEY': input.value },
    })
    if (!res.ok) throw new Error('HTTP ' + res.status)
    const { passport_credentials: list } = await res.json()
    status.textContent = `Key works, newest credential: ${list[0].name} (${list[0].earned_at})`
    await chrome.storage.sync.set({ apiKey: input.value })
  } catch (e) {
    status.textContent = 'Key refused: ' + e.message
  }
})
