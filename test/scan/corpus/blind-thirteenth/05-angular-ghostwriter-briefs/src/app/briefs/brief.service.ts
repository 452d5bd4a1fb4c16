import { HttpClient } from '@angular/common/http';
import { inject, Injectable } from '@angular/core';
import { environment } from '../../environments/environment';

export interface Brief {
  id: string;
  title: string;
  score: number;
  writerId?: number;
}

@Injectable({ providedIn: 'root' })
export class BriefService {
  private readonly http = inject(HttpClient);

  list() {
    return this.http.get<Brief[]>(environment.briefsApi);
  }

  assign(brief: Brief, writerId: number) {
    return this.http.patch<Brief>(`${environment.briefsApi}/${brief.id}`, { writerId });
  }
}
