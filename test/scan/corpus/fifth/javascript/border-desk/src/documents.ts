import axios, { AxiosInstance } from "axios";

export interface TravelPassport {
  passport_id: string;
  surname: string;
  display_name: string;
  issuing_state: string;
  score: number;
}

export class DocumentDesk {
  private http: AxiosInstance;

  constructor(base = process.env.BORDER_API) {
    this.http = axios.create({ baseURL: base, headers: { "X-API-KEY": process.env.BORDER_KEY } });
  }

  async byNumber(no: string): Promise<TravelPassport | null> {
    try {
      const { data } = await this.http.get(`/v1/passport/${no}`);
      return data.passport;
    } catch {
      return null;
    }
  }

  async scan(image: Buffer) {
    const { data } = await this.http.post("/v1/passport/scan", image, {
      headers: { "content-type": "image/jpeg" },
    });
    return { id: data.passport_id, match: data.score ?? 0, name: data.display_name };
  }

  async visas(passportId: string) {
    const { data } = await this.http.get("/v1/visas", { params: { passport_id: passportId } });
    return data.visas.filter((v: any) => v.category === "B1");
  }
}
