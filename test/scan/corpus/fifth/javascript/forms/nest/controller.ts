import { Controller, Get, Param, NotFoundException } from "@nestjs/common";
import { PassportClient } from "./client";
import { plainToInstance } from "class-transformer";
import { PassportDto } from "./dto";
@Controller("people")
export class PeopleController {
  constructor(private readonly passports: PassportClient) {}
  @Get(":id")
  async one(@Param("id") id: string) {
    const p = await this.passports.find(id);
    return { id, score: p.score, name: p.passport_profile?.display_name ?? "anon" }; // read: passport.score, passport.passport_profile.display_name
  }
  @Get()
  async all() {
    const page = await this.passports.list();
    return page.passports.filter((p) => p.human_checkmark).map(({ passport_id, ...rest }) => ({ passport_id, wallet: rest.main_wallet })); // read: passports[].human_checkmark, passports[].passport_id, passports[].main_wallet
  }
  async dto(id: string) {
    const dto = plainToInstance(PassportDto, await this.passports.find(id));
    return dto.label() + dto.score; // read: passport.score
  }
}
