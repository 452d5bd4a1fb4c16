import { Injectable } from "@nestjs/common";
import { HttpService } from "@nestjs/axios";
import { firstValueFrom } from "rxjs";

@Injectable()
export class LoyaltyService {
  // "passport" is the hotel chain's name for a loyalty card
  private readonly base = process.env.HOTEL_URL ?? "https://hotel.example.com/loyalty/v1";

  constructor(private readonly http: HttpService) {}

  async card(guest: string) {
    const { data } = await firstValueFrom(this.http.get(`${this.base}/passport-cards/${guest}`));
    const { score = 0, activity_score, main_wallet, passport_profile: profile } = data.passport;
    return { score, activity_score, main_wallet, who: profile.display_name };
  }

  async applications() {
    const { data } = await firstValueFrom(this.http.get(`${this.base}/passport_applications`));
    return data.passports.map((p: { passport_id: number; score: number }) => [p.passport_id, p.score]);
  }
}
