import { HttpService } from "@nestjs/axios";
import { ConfigService } from "@nestjs/config";
import { firstValueFrom } from "rxjs";

export class ReputationService {
  constructor(
    private readonly http: HttpService,
    private readonly config: ConfigService,
  ) {}

  private get base() {
    return this.config.get<string>("REPUTATION_URL");
  }

  async reach(id: string): Promise<number> {
    const { data } = await firstValueFrom(this.http.get(`${this.base}/api/v1/passports/${id}`)); // call: passport
    const socials = data.passport.passport_socials ?? []; // read: passport.passport_socials; hazard: fallback-default
    let reach = 0;
    socials.forEach((social) => {
      reach += Number.parseInt(social.follower_count, 10); // read: passport.passport_socials[].follower_count
      reach = reach + social.following_count; // read: passport.passport_socials[].following_count; hazard: string-number
    });
    return reach;
  }
}
