import { HttpModule } from '@nestjs/axios';
import { Module } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { EtherscanSource } from './sources/etherscan.source';
import { GithubSource } from './sources/github.source';
import { TalentSource } from './sources/talent.source';
import { ReportsController } from './reports.controller';
import { ReportsService } from './reports.service';

@Module({
  imports: [
    HttpModule.registerAsync({
      inject: [ConfigService],
      useFactory: (config: ConfigService) => ({ timeout: config.get('HTTP_TIMEOUT', 8000) }),
    }),
  ],
  controllers: [ReportsController],
  providers: [ReportsService, TalentSource, GithubSource, EtherscanSource],
})
export class ReportsModule {}
