const list = document.querySelector('#passports')
const search = document.querySelector('#search')

async function load(keyword = '') {
  const res = await fetch(`/api/v1/passports?keyword=${encodeURIComponent(keyword)}`)
  const { passports, pagination } = await res.json()
  document.querySelector('#total').textContent = `${pagination.total} young readers`
  list.replaceChildren(
    ...passports.map((passport) => {
      const li = document.createElement('li')
      li.textContent = `${passport.child_name} (${passport.branch}): ${passport.score}`
      li.onclick = () => show(passport.passport_id)
      return li
    }),
  )
}

async function show(id) {
  const { passport } = await (await fetch(`/api/v1/passports/${id}`)).json()
  const categories = new Set(passport.stamps.map((s) => s.category))
  alert(`${passport.child_name}: ${passport.stamps.length} stamps in ${[...categories].join(', ')}`)
}

search.addEventListener('input', () => load(search.value))
load()
