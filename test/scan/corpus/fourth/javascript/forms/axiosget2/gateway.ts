import axios, { AxiosInstance, AxiosError } from "axios";
import type { PassportDto } from "./dto";
export class Gateway {
  private client: AxiosInstance;
  constructor(cfg: { url: string }) {
    this.client = axios.create({ baseURL: `${cfg.url}/api/v1`, timeout: 1000 });
    this.client.interceptors.response.use((r) => r, (e: AxiosError) => Promise.reject(e));
  }
  find = async (id: string): Promise<PassportDto | undefined> => {
    try {
      const response = await this.client.get<{ passport: PassportDto }>(`/passports/${id}`); // call: passport
      return response.data.passport;
    } catch (e) { // hazard: catch-default
      return undefined;
    }
  };
  search = (keyword: string) => this.client.get("/passports", { params: { keyword } }).then(({ data }) => data.passports as PassportDto[]); // call: passport-list
}
