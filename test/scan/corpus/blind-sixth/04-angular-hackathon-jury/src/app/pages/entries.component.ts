import { AsyncPipe } from '@angular/common';
import { Component, inject } from '@angular/core';
import { forkJoin, map, of, switchMap } from 'rxjs';
import { Entry, JuryService } from '../core/jury.service';
import { TalentService } from '../core/talent.service';

@Component({
  standalone: true,
  selector: 'app-entries',
  imports: [AsyncPipe],
  template: `
    @for (row of rows$ | async; track row.entry.id) {
      <article>
        <h3>{{ row.entry.name }} <small>{{ row.entry.category }}</small></h3>
        <p>Jury: {{ row.entry.score }} – team strength {{ row.strength }}</p>
        <p>{{ row.humans }} verified humans</p>
      </article>
    }
  `,
})
export class EntriesComponent {
  private readonly jury = inject(JuryService);
  private readonly talent = inject(TalentService);

  readonly rows$ = this.jury.entries().pipe(
    switchMap((entries) => (entries.length ? forkJoin(entries.map((e) => this.withTeam(e))) : of([]))),
    map((rows) => rows.sort((a, b) => b.strength - a.strength)),
  );

  private withTeam(entry: Entry) {
    return forkJoin(entry.wallets.map((w) => this.talent.passport(w))).pipe(
      map((team) => ({
        entry,
        strength: team.reduce((sum, p) => sum + (p?.score ?? 0), 0),
        humans: team.filter((p) => p?.human_checkmark).length,
      })),
    );
  }
}
