import { Injectable, HttpException } from "@nestjs/common";
import { HttpService } from "@nestjs/axios";
import { ConfigService } from "@nestjs/config";
import { lastValueFrom, map } from "rxjs";
@Injectable()
export class A {
  private readonly url: string;
  constructor(private http: HttpService, private cfg: ConfigService) { this.url = this.cfg.getOrThrow("REP_URL"); }
  async get(id: string) {
    const p = await lastValueFrom(this.http.get(`${this.url}/api/v1/passports/${id}`).pipe(map(({ data }) => data.passport))); // call: passport
    return new B(p);
  }
}
class B {
  constructor(private readonly p: any) {}
  toJSON() { return { a: this.p.score, b: this.p.passport_profile.location }; } // read: passport.score, passport.passport_profile.location
}
