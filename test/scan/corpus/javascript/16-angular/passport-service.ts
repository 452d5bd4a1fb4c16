import { HttpClient } from "@angular/common/http";
import { Injectable } from "@angular/core";
import { catchError, map, of } from "rxjs";
import { environment } from "./environment";

@Injectable({ providedIn: "root" })
export class PassportService {
  private readonly url = `${environment.apiUrl}/passports`;

  constructor(private readonly http: HttpClient) {}

  find(id: string) {
    return this.http.get<any>(`${this.url}/${id}`).pipe( // call: passport
      map((body) => body.passport),
      catchError(() => of(null)), // hazard: catch-default
    );
  }

  top() {
    return this.http.get<any>(this.url).pipe(map((body) => body.passports)); // call: passport-list
  }
}
