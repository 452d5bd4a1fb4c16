import { DatePipe, DecimalPipe } from '@angular/common';
import { Component, inject, signal } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import { FormControl, ReactiveFormsModule } from '@angular/forms';
import { EMPTY, catchError, debounceTime, distinctUntilChanged, filter, switchMap } from 'rxjs';
import { Passport, PassportCredential } from '../core/talent.models';
import { TalentService } from '../core/talent.service';
import { ScoreBarsComponent } from '../shared/score-bars.component';
import { ShortAddressPipe } from '../shared/short-address.pipe';

@Component({
  standalone: true,
  selector: 'app-scout',
  imports: [DatePipe, DecimalPipe, ReactiveFormsModule, ScoreBarsComponent, ShortAddressPipe],
  templateUrl: './scout.component.html',
})
export class ScoutComponent {
  private readonly talent = inject(TalentService);

  readonly keyword = new FormControl('', { nonNullable: true });
  readonly results = signal<Passport[]>([]);
  readonly selected = signal<Passport | null>(null);
  readonly credentials = signal<PassportCredential[]>([]);
  readonly failed = signal(false);

  constructor() {
    this.keyword.valueChanges
      .pipe(
        debounceTime(300),
        distinctUntilChanged(),
        filter((text) => text.length > 2),
        switchMap((text) =>
          this.talent.searchAll(text).pipe(
            catchError(() => {
              this.failed.set(true);
              return EMPTY;
            }),
          ),
        ),
        takeUntilDestroyed(),
      )
      .subscribe((list) => {
        this.failed.set(false);
        this.results.set(list.filter((p) => p.skills_score > 0));
      });
  }

  select(passport: Passport) {
    this.talent.passport(passport.passport_id).subscribe((full) => this.selected.set(full ?? passport));
    this.talent.credentials(passport.passport_id).subscribe((all) => {
      this.credentials.set(all.filter((c) => c.category === 'Skills' && c.type !== 'active_wallet'));
    });
  }
}
