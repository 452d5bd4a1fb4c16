import { Injectable, inject, signal, computed, Component } from "@angular/core";
import { HttpClient } from "@angular/common/http";
import { toSignal } from "@angular/core/rxjs-interop";
import { Observable, catchError, of, map, switchMap, shareReplay, tap } from "rxjs";
export interface Passport { passport_id: number; score: number; main_wallet: string; passport_profile: { bio: string }; merged: boolean } // hazard: integer-id
@Injectable({ providedIn: "root" })
export class PassportService {
  private http = inject(HttpClient);
  private readonly root = environment.root + "/api/v1";
  readonly current = signal<Passport | null>(null);
  one(id: string): Observable<Passport> {
    return this.http.get<{ passport: Passport }>(`${this.root}/passports/${id}`).pipe( // call: passport
      map(({ passport }) => passport),
      tap((p) => this.current.set(p)),
      shareReplay(1),
    );
  }
  creds(id: number) {
    return this.http.get<any>(`${this.root}/passport_credentials`, { params: { passport_id: id } }).pipe( // call: passport-credentials
      map((b) => b.passport_credentials),
      catchError(() => of([])), // hazard: catch-default
    );
  }
}
@Component({ template: "" })
export class Card {
  private svc = inject(PassportService);
  readonly bio = computed(() => this.svc.current()?.passport_profile.bio); // read: passport.passport_profile.bio
  vm$ = this.route.paramMap.pipe(switchMap((m) => this.svc.one(m.get("id")!)), map((p) => p.score)); // read: passport.score
  ngOnInit() {
    this.svc.one("1").subscribe({ next: (p) => (this.merged = p.merged), error: () => {} }); // read: passport.merged
    this.svc.creds(1).subscribe((list) => list.forEach((c) => console.log(c.type, c.earned_at))); // read: passport_credentials[].type, passport_credentials[].earned_at
  }
}
