import { HttpService } from '@nestjs/axios';
import { Injectable } from '@nestjs/common';
import { catchError, firstValueFrom, map, of } from 'rxjs';

export interface GithubUser {
  login: string;
  name: string | null;
  bio: string | null;
  location: string | null;
  followers: number;
  public_repos: number;
}

@Injectable()
export class GithubSource {
  constructor(private readonly http: HttpService) {}

  user(login: string): Promise<GithubUser | null> {
    return firstValueFrom(
      this.http.get<GithubUser>(`https://api.github.com/users/${login}`).pipe(
        map((r) => r.data),
        catchError(() => of(null)),
      ),
    );
  }
}
