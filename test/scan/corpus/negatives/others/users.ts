import axios from "axios";
const api = axios.create({ baseURL: "https://shop.example.net/api/v1" });
export async function users() {
  const { data } = await api.get("/users");
  return data.users.map((u: any) => ({ id: u.passport_id, score: u.score || 0, tags: u.tags }));
}
export const credentials = async () => {
  try { return (await api.get("/credentials")).data.credentials; } catch { return []; }
};
