import { DatePipe, DecimalPipe } from '@angular/common';
import { Component, computed, inject, input } from '@angular/core';
import { toObservable, toSignal } from '@angular/core/rxjs-interop';
import { switchMap } from 'rxjs';
import { ReputationService } from '../core/reputation.service';

@Component({
  selector: 'app-puppeteer-detail',
  imports: [DatePipe, DecimalPipe],
  templateUrl: './puppeteer-detail.component.html',
})
export class PuppeteerDetailComponent {
  private readonly reputation = inject(ReputationService);
  readonly id = input.required<string>();

  readonly passport = toSignal(toObservable(this.id).pipe(switchMap((id) => this.reputation.passport(id))));

  readonly credentials = toSignal(
    toObservable(this.id).pipe(
      switchMap((id) => this.reputation.passport(id)),
      switchMap(({ passport_id }) => this.reputation.credentials(passport_id)),
    ),
    { initialValue: [] },
  );

  readonly crafts = computed(() => this.credentials().filter((c) => c.category === 'Skills'));

  readonly stale = computed(() => {
    const at = this.passport()?.last_calculated_at;
    return at ? Date.now() - Date.parse(at) > 30 * 86_400_000 : true;
  });
}
