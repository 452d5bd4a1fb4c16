import { HttpClient, HttpParams } from '@angular/common/http';
import { inject, Injectable } from '@angular/core';
import { catchError, map, Observable, of, shareReplay } from 'rxjs';
import { environment } from '../../environments/environment';
import { Credential, Passport, PassportListResponse, PassportResponse } from '../models/reputation.model';

@Injectable({ providedIn: 'root' })
export class ReputationService {
  private readonly http = inject(HttpClient);
  private readonly baseUrl = environment.talent.url;
  private readonly cache = new Map<string, Observable<Passport | null>>();

  getPassport(wallet: string): Observable<Passport | null> {
    let passport$ = this.cache.get(wallet);
    if (!passport$) {
      passport$ = this.http.get<PassportResponse>(`${this.baseUrl}/passports/${wallet}`).pipe(
        map((res) => res.passport),
        catchError(() => of(null)),
        shareReplay(1),
      );
      this.cache.set(wallet, passport$);
    }
    return passport$;
  }

  search(keyword: string): Observable<PassportListResponse> {
    const params = new HttpParams().set('keyword', keyword);
    return this.http.get<PassportListResponse>(`${this.baseUrl}/passports`, { params });
  }

  getCredentials(passportId: number): Observable<Credential[]> {
    return this.http
      .get<{ passport_credentials: Credential[] }>(`${this.baseUrl}/passport_credentials`, {
        params: { passport_id: passportId },
      })
      .pipe(map(({ passport_credentials }) => passport_credentials));
  }
}
