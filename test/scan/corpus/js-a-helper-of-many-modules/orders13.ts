import { api } from "./http";

export async function orders13(id: string) {
  const { orders } = await api(`/shop/orders/13/${id}`);
  return orders.map((o: any) => [o.score, o.passport_id, o.location]);
}
