import { HttpClient, HttpParams } from '@angular/common/http';
import { inject, Injectable } from '@angular/core';
import { catchError, map, Observable, of, retry, shareReplay } from 'rxjs';
import { environment } from '../../environments/environment';
import { CredentialDto, Writer, WriterDto } from './writer.model';

@Injectable({ providedIn: 'root' })
export class WriterService {
  private readonly http = inject(HttpClient);
  private readonly root = environment.talent.root;
  private readonly seen = new Map<string, Observable<Writer>>();

  byId(id: string): Observable<Writer> {
    let writer$ = this.seen.get(id);
    if (!writer$) {
      writer$ = this.http.get<{ passport: WriterDto }>(this.root + 'passports/' + id).pipe(
        retry(1),
        map(({ passport }) => new Writer(passport)),
        shareReplay(1),
      );
      this.seen.set(id, writer$);
    }
    return writer$;
  }

  credentials(passportId: number): Observable<CredentialDto[]> {
    const params = new HttpParams().set('passport_id', passportId);
    return this.http
      .get<{ passport_credentials: CredentialDto[] }>(`${this.root}passport_credentials`, { params })
      .pipe(
        map((body) => body.passport_credentials.filter((c) => c.score > 0)),
        catchError(() => of([])),
      );
  }
}
