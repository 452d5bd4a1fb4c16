import { api } from "./http";

export async function orders9(id: string) {
  const { orders } = await api(`/shop/orders/9/${id}`);
  return orders.map((o: any) => [o.score, o.passport_id, o.location]);
}
