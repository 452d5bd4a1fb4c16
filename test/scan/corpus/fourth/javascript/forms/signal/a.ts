import { Component, inject, signal, computed } from "@angular/core";
import { HttpClient } from "@angular/common/http";
import { toSignal } from "@angular/core/rxjs-interop";
import { map, catchError, of } from "rxjs";
@Component({ selector: "p", template: "" })
export class P {
  private http = inject(HttpClient);
  private passport = signal<any>(null);
  list = toSignal(this.http.get<any>("/api/v1/passports").pipe(map((r) => r.passports), catchError(() => of([])))); // call: passport-list; hazard: catch-default
  score = computed(() => this.passport()?.score); // read: passport.score
  names = computed(() => this.list().map((p) => p.passport_profile.display_name)); // read: passports[].passport_profile.display_name
  load(id: string) {
    this.http.get<any>(`/api/v1/passports/${id}`).subscribe((b) => this.passport.set(b.passport)); // call: passport
  }
}
