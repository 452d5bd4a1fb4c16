const table = document.querySelector('#standings tbody')
const pager = document.querySelector('#pager')

async function load(page = 1) {
  const res = await fetch(`/api/v1/players?page=${page}`)
  const { players, pagination } = await res.json()
  table.replaceChildren(
    ...players.map((player) => {
      const tr = document.createElement('tr')
      tr.innerHTML = `<td>${player.name}</td><td>${player.score}</td>`
      return tr
    }),
  )
  pager.textContent = `${pagination.current_page} / ${pagination.last_page}`
  pager.onclick = () => load(Math.min(pagination.current_page + 1, pagination.last_page))
}

load()
