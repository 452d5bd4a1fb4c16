import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ReputationDto } from './dto/reputation.dto';
import { ReputationService } from './reputation.service';

@ApiTags('reputation')
@Controller('reputation')
export class ReputationController {
  constructor(private readonly reputation: ReputationService) {}

  @Get(':address')
  @ApiOkResponse({ type: ReputationDto })
  get(@Param('address') address: string) {
    return this.reputation.getReputation(address);
  }

  @Get(':address/eligible')
  async eligible(@Param('address') address: string, @Query('min') min = '40') {
    const { score, isHuman, stale } = await this.reputation.getReputation(address);
    return { eligible: isHuman && !stale && score >= Number(min), score };
  }
}
