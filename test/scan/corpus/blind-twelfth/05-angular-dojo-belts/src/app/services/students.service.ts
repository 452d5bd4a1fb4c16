import { HttpClient } from '@angular/common/http';
import { inject, Injectable } from '@angular/core';
import { environment } from '../../environments/environment';
import { Student } from '../models/reputation.model';

@Injectable({ providedIn: 'root' })
export class StudentsService {
  private readonly http = inject(HttpClient);

  get(id: string) {
    return this.http.get<Student>(`${environment.apiUrl}/students/${id}`);
  }

  promote(id: string, belt: string, score: number) {
    return this.http.post<Student>(`${environment.apiUrl}/students/${id}/belt`, { belt, score });
  }
}
