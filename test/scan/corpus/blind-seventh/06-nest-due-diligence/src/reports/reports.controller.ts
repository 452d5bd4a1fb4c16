import { CacheInterceptor, CacheTTL } from '@nestjs/cache-manager';
import { Controller, Get, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ReportDto } from './dto/report.dto';
import { ReportsService } from './reports.service';

@Controller('reports')
@UseInterceptors(CacheInterceptor)
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  @Get('candidates')
  candidates(@Query('q') q = '') {
    return this.reports.candidates(q);
  }

  @Get(':address')
  @CacheTTL(600_000)
  @ApiOkResponse({ type: ReportDto })
  async one(@Param('address') address: string) {
    const report = await this.reports.report(address);
    return { ...report, grade: report.score > 100 ? 'A' : report.score > 50 ? 'B' : 'C' };
  }
}
