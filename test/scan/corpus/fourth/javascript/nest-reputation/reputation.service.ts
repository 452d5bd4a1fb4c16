import { Injectable, Logger } from "@nestjs/common";
import { HttpService } from "@nestjs/axios";
import { ConfigService } from "@nestjs/config";
import { firstValueFrom } from "rxjs";
import { map } from "rxjs/operators";

@Injectable()
export class ReputationService {
  private readonly logger = new Logger(ReputationService.name);
  private readonly baseUrl: string;

  constructor(private readonly http: HttpService, config: ConfigService) {
    this.baseUrl = config.get<string>("REPUTATION_URL", "https://rep.example.org");
  }

  async findOne(wallet: string) {
    const { data } = await firstValueFrom(this.http.get(`${this.baseUrl}/api/v1/passports/${wallet}`)); // call: passport
    const { score, merged, ...rest } = data.passport; // read: passport.score, passport.merged
    this.logger.debug(`merged=${merged}`);
    return { total: score, wallet: rest.main_wallet, human: rest.human_checkmark }; // read: passport.main_wallet, passport.human_checkmark
  }

  credentialNames(passportId: number) {
    const url = this.baseUrl + "/api/v1/passport_credentials";
    return this.http.get(url, { params: { passport_id: passportId } }).pipe( // call: passport-credentials
      map((res) => res.data.passport_credentials.map((c) => c.name.trim())), // read: passport_credentials[].name
    );
  }
}
