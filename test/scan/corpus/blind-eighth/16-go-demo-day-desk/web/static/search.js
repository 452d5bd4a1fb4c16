const q = document.querySelector('#q')
const found = document.querySelector('#found')
const count = document.querySelector('#count')

let timer

async function run() {
  const res = await fetch(`/bff/search?q=${encodeURIComponent(q.value)}`)
  if (!res.ok) {
    count.textContent = 'The passport service is not available.'
    return
  }
  const { passports, pagination } = await res.json()
  count.textContent = `${pagination.total} founders`
  found.replaceChildren(
    ...passports.map((p) => {
      const li = document.createElement('li')
      const a = document.createElement('a')
      a.href = `/pitch/${p.passport_id}`
      a.textContent = p.passport_profile?.display_name || p.main_wallet
      li.append(a, ` ${p.score}`)
      return li
    }),
  )
}

q.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(run, 250)
})
