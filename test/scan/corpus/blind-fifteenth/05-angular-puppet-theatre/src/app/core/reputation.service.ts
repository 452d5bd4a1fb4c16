import { HttpClient } from '@angular/common/http';
import { inject, Injectable } from '@angular/core';
import { catchError, map, Observable, of, shareReplay } from 'rxjs';
import { environment } from '../../environments/environment';
import { CredentialDto, PassportDto, Puppeteer } from './reputation.models';

@Injectable({ providedIn: 'root' })
export class ReputationService {
  private readonly http = inject(HttpClient);
  private readonly baseUrl = environment.reputation.url;
  private readonly cache = new Map<string, Observable<PassportDto>>();

  search(keyword: string): Observable<Puppeteer[]> {
    return this.http
      .get<{ passports: PassportDto[] }>(`${this.baseUrl}/passports`, { params: { keyword } })
      .pipe(
        map(({ passports }) => passports.filter((dto) => !dto.merged).map(toPuppeteer)),
        catchError((err) => {
          console.warn('search failed', err);
          return of([]);
        }),
      );
  }

  passport(id: string): Observable<PassportDto> {
    let passport$ = this.cache.get(id);
    if (!passport$) {
      passport$ = this.http.get<{ passport: PassportDto }>(`${this.baseUrl}/passports/${id}`).pipe(
        map((res) => res.passport),
        shareReplay({ bufferSize: 1, refCount: false }),
      );
      this.cache.set(id, passport$);
    }
    return passport$;
  }

  credentials(passportId: number): Observable<CredentialDto[]> {
    return this.http
      .get<{ passport_credentials: CredentialDto[] }>(`${this.baseUrl}/passport_credentials`, {
        params: { passport_id: passportId },
      })
      .pipe(
        map((res) => res.passport_credentials ?? []),
        catchError(() => of([])),
      );
  }
}

function toPuppeteer(dto: PassportDto): Puppeteer {
  const { display_name, tags } = dto.passport_profile;
  return {
    id: dto.passport_id,
    name: display_name || shorten(dto.main_wallet),
    wallet: dto.main_wallet,
    score: dto.score,
    verified: dto.human_checkmark,
    tags,
  };
}

const shorten = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
