import { DatePipe } from '@angular/common';
import { Component, computed, inject, input } from '@angular/core';
import { toObservable, toSignal } from '@angular/core/rxjs-interop';
import { forkJoin, of, switchMap } from 'rxjs';
import { Brief, BriefService } from '../briefs/brief.service';
import { WriterService } from './writer.service';

@Component({
  selector: 'app-writer-page',
  standalone: true,
  imports: [DatePipe],
  templateUrl: './writer-page.component.html',
})
export class WriterPageComponent {
  readonly id = input.required<string>();

  private readonly writers = inject(WriterService);
  private readonly briefService = inject(BriefService);

  private readonly state = toSignal(
    toObservable(this.id).pipe(
      switchMap((id) => this.writers.byId(id)),
      switchMap((writer) => forkJoin({ writer: of(writer), credentials: this.writers.credentials(writer.id) })),
    ),
  );

  readonly briefs = toSignal(this.briefService.list(), { initialValue: [] });
  readonly writer = computed(() => this.state()?.writer);
  readonly credentials = computed(() =>
    [...(this.state()?.credentials ?? [])].sort((a, b) => (b.earned_at ?? '').localeCompare(a.earned_at ?? '')),
  );
  readonly open = computed(() => this.briefs().filter((b) => !b.writerId && b.score <= (this.writer()?.score ?? 0)));

  take(brief: Brief) {
    this.briefService.assign(brief, this.writer()!.id).subscribe();
  }
}
