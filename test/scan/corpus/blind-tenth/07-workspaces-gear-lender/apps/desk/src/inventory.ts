export interface Item {
  id: string
  name: string
  price: number
  location: string
}

const api = process.env.INVENTORY_URL ?? 'http://inventory.internal/api/v1'

export const inventory = {
  async find(id: string): Promise<Item | null> {
    const res = await fetch(`${api}/items/${id}`)
    return res.ok ? ((await res.json()) as Item) : null
  },
}
