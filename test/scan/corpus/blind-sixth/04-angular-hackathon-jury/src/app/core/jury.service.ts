import { HttpClient } from '@angular/common/http';
import { Injectable, inject } from '@angular/core';
import { Observable } from 'rxjs';
import { environment } from '../../environments/environment';

export interface Entry {
  id: number;
  name: string;
  category: string;
  score: number;
  wallets: string[];
}

@Injectable({ providedIn: 'root' })
export class JuryService {
  private readonly http = inject(HttpClient);

  entries(): Observable<Entry[]> {
    return this.http.get<Entry[]>(`${environment.juryApi}/entries`);
  }

  rate(entry: Entry, score: number) {
    return this.http.put(`${environment.juryApi}/entries/${entry.id}/rating`, { score });
  }
}
