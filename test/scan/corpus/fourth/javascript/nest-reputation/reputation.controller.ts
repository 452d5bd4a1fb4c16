import { Controller, Get, Param } from "@nestjs/common";
import { ReputationService } from "./reputation.service";

// our own public surface looks like theirs, for old mobile builds
@Controller("api/v1/passports")
export class ReputationController {
  constructor(private readonly service: ReputationService) {}

  @Get(":wallet")
  async one(@Param("wallet") wallet: string) {
    const found = await this.service.findOne(wallet);
    return { points: found.total, human: found.human };
  }

  @Get()
  list() {
    return { passports: [], pagination: { total: 0 } };
  }
}
