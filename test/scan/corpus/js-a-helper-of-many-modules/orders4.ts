import { api } from "./http";

export async function orders4(id: string) {
  const { orders } = await api(`/shop/orders/4/${id}`);
  return orders.map((o: any) => [o.score, o.passport_id, o.location]);
}
