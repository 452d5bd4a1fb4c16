import type { PlayerPassport } from '../server/schema.js'

const root = document.querySelector<HTMLElement>('#player')!

async function load(id: string) {
  const res = await fetch(`/api/v1/passports/${id}`)
  if (!res.ok) throw new Error(res.statusText)
  const { passport } = (await res.json()) as { passport: PlayerPassport }
  root.innerHTML = `
    <h1>${passport.display_name}</h1>
    <p>${passport.location}, scouting score ${passport.score.toFixed(1)}</p>
    <ol>${passport.spells.map((s) => `<li>${s.club} (${s.category})</li>`).join('')}</ol>`
}

load(root.dataset.id!).catch((e) => {
  root.textContent = e.message
})
