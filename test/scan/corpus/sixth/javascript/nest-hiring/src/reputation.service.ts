import { HttpService } from '@nestjs/axios';
import { Injectable, Logger } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { AxiosError } from 'axios';
import { catchError, firstValueFrom, map, of } from 'rxjs';
import { PassportDto, PassportListDto } from './reputation.dto';

@Injectable()
export class ReputationService {
  private readonly logger = new Logger(ReputationService.name);
  private readonly baseUrl: string;

  constructor(
    private readonly http: HttpService,
    private readonly config: ConfigService,
  ) {
    this.baseUrl = this.config.getOrThrow<string>('REPUTATION_URL') + '/api/v1';
  }

  private get options() {
    return { headers: { 'X-API-KEY': this.config.get<string>('REPUTATION_KEY') } };
  }

  async search(keyword: string): Promise<PassportListDto> {
    const { data } = await firstValueFrom(
      this.http.get<PassportListDto>(`${this.baseUrl}/passports`, { // call: passport-list
        ...this.options,
        params: { keyword },
      }),
    );
    return data;
  }

  findOne(id: number): Promise<PassportDto | null> {
    return firstValueFrom(
      this.http.get<{ passport: PassportDto }>(`${this.baseUrl}/passports/${id}`, this.options).pipe( // call: passport
        map((response) => response.data.passport),
        catchError((error: AxiosError) => { // hazard: catch-default
          this.logger.error(error.message);
          return of(null);
        }),
      ),
    );
  }
}
