import { Injectable } from "@nestjs/common";
import { HttpService } from "@nestjs/axios";
import { ConfigService } from "@nestjs/config";
import { firstValueFrom, map } from "rxjs";
@Injectable()
export class PassportClient {
  private readonly base: string;
  constructor(private readonly http: HttpService, config: ConfigService) { this.base = config.getOrThrow("REP"); }
  find(id: string) {
    return firstValueFrom(this.http.get(`${this.base}/api/v1/passports/${id}`).pipe(map((r) => r.data.passport))); // call: passport
  }
  async list(keyword?: string) {
    const { data } = await this.http.axiosRef.get("/api/v1/passports", { baseURL: this.base, params: { keyword } }); // call: passport-list
    return data;
  }
}
