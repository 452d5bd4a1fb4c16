import { HttpClient, HttpParams } from '@angular/common/http';
import { Injectable, inject } from '@angular/core';
import { EMPTY, Observable, catchError, expand, map, of, reduce, shareReplay } from 'rxjs';
import { environment } from '../../environments/environment';
import { Passport, PassportCredential, PassportPage } from './talent.models';

@Injectable({ providedIn: 'root' })
export class TalentService {
  private readonly http = inject(HttpClient);
  private readonly baseUrl = environment.talentApi;
  private readonly byId = new Map<string, Observable<Passport | null>>();

  search(keyword: string, page = 1): Observable<PassportPage> {
    const params = new HttpParams().set('keyword', keyword).set('page', page);
    return this.http.get<PassportPage>(`${this.baseUrl}/passports`, { params });
  }

  searchAll(keyword: string): Observable<Passport[]> {
    return this.search(keyword).pipe(
      expand(({ pagination }) =>
        pagination.current_page < pagination.last_page ? this.search(keyword, pagination.current_page + 1) : EMPTY,
      ),
      reduce((all, page) => all.concat(page.passports), [] as Passport[]),
    );
  }

  passport(id: string | number): Observable<Passport | null> {
    const key = String(id);
    if (!this.byId.has(key)) {
      const request = this.http.get<{ passport: Passport }>(`${this.baseUrl}/passports/${id}`).pipe(
        map((res) => res.passport),
        catchError(() => of(null)),
        shareReplay(1),
      );
      this.byId.set(key, request);
    }
    return this.byId.get(key)!;
  }

  credentials(passportId: number): Observable<PassportCredential[]> {
    return this.http
      .get<{ passport_credentials: PassportCredential[] }>(`${this.baseUrl}/passport_credentials`, {
        params: { passport_id: passportId },
      })
      .pipe(
        map((res) => res.passport_credentials),
        catchError((err) => {
          console.error('credentials', err.status);
          return of([]);
        }),
      );
  }
}
