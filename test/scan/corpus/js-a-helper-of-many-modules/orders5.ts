import { api } from "./http";

export async function orders5(id: string) {
  const { orders } = await api(`/shop/orders/5/${id}`);
  return orders.map((o: any) => [o.score, o.passport_id, o.location]);
}
