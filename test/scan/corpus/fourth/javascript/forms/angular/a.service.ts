import { Injectable } from "@angular/core";
import { HttpClient } from "@angular/common/http";
import { BehaviorSubject, map, of, catchError, tap, switchMap, forkJoin } from "rxjs";
@Injectable({ providedIn: "root" })
export class RepService {
  private subject = new BehaviorSubject<any>(null);
  readonly passport$ = this.subject.asObservable();
  constructor(private http: HttpClient) {}
  load(id: string) {
    return this.http.get<any>(`${env.api}/api/v1/passports/${id}`).pipe( // call: passport
      map((b) => b.passport),
      tap((p) => this.subject.next(p)),
    );
  }
  both(id: string) {
    return forkJoin([this.load(id), this.http.get<any>(`/api/v1/passport_credentials?passport_id=${id}`)]).pipe( // call: passport-credentials
      map(([p, c]) => ({ score: p.score, n: c.passport_credentials.length })), // read: passport.score
    );
  }
  named(id: string) {
    return forkJoin({ p: this.load(id) }).pipe(map(({ p }) => p.merged)); // read: passport.merged
  }
}
