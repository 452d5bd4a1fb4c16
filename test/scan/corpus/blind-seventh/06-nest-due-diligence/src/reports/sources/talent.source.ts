import { HttpService } from '@nestjs/axios';
import { Injectable, Logger } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { EMPTY, Observable, catchError, expand, firstValueFrom, map, of, reduce } from 'rxjs';
import { CredentialDto, PassportDto, PassportPageDto } from '../dto/talent.dto';

@Injectable()
export class TalentSource {
  private readonly logger = new Logger(TalentSource.name);
  private readonly root: string;
  private readonly options: { headers: Record<string, string> };

  constructor(private readonly http: HttpService, config: ConfigService) {
    this.root = `${config.getOrThrow('TALENT_API_URL')}/api/v1`;
    this.options = { headers: { 'X-API-KEY': config.get('TALENT_API_KEY', '') } };
  }

  passport(address: string): Observable<PassportDto | null> {
    return this.http.get<{ passport: PassportDto }>(`${this.root}/passports/${address}`, this.options).pipe(
      map(({ data }) => data.passport),
      catchError((error) => {
        this.logger.warn(`passport of ${address}: ${error.message}`);
        return of(null);
      }),
    );
  }

  credentials(passportId: number): Promise<CredentialDto[]> {
    return firstValueFrom(
      this.http
        .get(`${this.root}/passport_credentials`, { ...this.options, params: { passport_id: passportId } })
        .pipe(map((response) => response.data.passport_credentials)),
    );
  }

  search(keyword: string): Promise<PassportDto[]> {
    const page = (n: number) =>
      this.http
        .get<PassportPageDto>(`${this.root}/passports`, { ...this.options, params: { keyword, page: n } })
        .pipe(map((r) => r.data));

    return firstValueFrom(
      page(1).pipe(
        expand((d) => (d.pagination.current_page < d.pagination.last_page ? page(d.pagination.current_page + 1) : EMPTY)),
        reduce((all, d) => all.concat(d.passports), [] as PassportDto[]),
      ),
    );
  }
}
