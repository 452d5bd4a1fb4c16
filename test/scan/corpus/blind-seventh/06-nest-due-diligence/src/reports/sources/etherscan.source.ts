import { HttpService } from '@nestjs/axios';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

@Injectable()
export class EtherscanSource {
  constructor(private readonly http: HttpService, private readonly config: ConfigService) {}

  async transactionCount(address: string): Promise<number> {
    const { data } = await this.http.axiosRef.get('https://api.etherscan.io/api', {
      params: {
        module: 'proxy',
        action: 'eth_getTransactionCount',
        address,
        tag: 'latest',
        apikey: this.config.get('ETHERSCAN_KEY'),
      },
    });
    return parseInt(data.result, 16) || 0;
  }
}
