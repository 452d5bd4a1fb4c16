import { browser } from '$app/environment'

const KEY = 'jam:picked'

class Picked {
  ids = $state<number[]>(browser ? JSON.parse(localStorage.getItem(KEY) ?? '[]') : [])

  toggle(id: number) {
    this.ids = this.ids.includes(id) ? this.ids.filter((x) => x !== id) : [...this.ids, id]
    if (browser) localStorage.setItem(KEY, JSON.stringify(this.ids))
  }
}

export const picked = new Picked()
