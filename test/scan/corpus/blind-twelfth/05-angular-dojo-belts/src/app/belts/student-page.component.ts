import { AsyncPipe, DecimalPipe } from '@angular/common';
import { Component, computed, inject, input } from '@angular/core';
import { rxResource, toObservable } from '@angular/core/rxjs-interop';
import { EMPTY, filter, switchMap } from 'rxjs';
import { Passport } from '../models/reputation.model';
import { ReputationService } from '../services/reputation.service';
import { StudentsService } from '../services/students.service';
import { beltFor, strongestSide } from './belt';

@Component({
  selector: 'app-student-page',
  imports: [AsyncPipe, DecimalPipe],
  templateUrl: './student-page.component.html',
})
export class StudentPageComponent {
  private readonly reputation = inject(ReputationService);
  private readonly students = inject(StudentsService);

  readonly id = input.required<string>();
  readonly student = rxResource({ request: this.id, loader: ({ request }) => this.students.get(request) });
  readonly passport = rxResource({
    request: () => this.student.value()?.wallet,
    loader: ({ request }) => (request ? this.reputation.getPassport(request) : EMPTY),
  });

  readonly belt = computed(() => {
    const passport = this.passport.value();
    return passport ? beltFor(passport) : 'white';
  });

  readonly credentials$ = toObservable(this.passport.value).pipe(
    filter((p): p is Passport => !!p),
    switchMap((p) => this.reputation.getCredentials(p.passport_id)),
  );

  side(p: Passport) {
    return strongestSide(p);
  }

  promote() {
    const score = this.passport.value()?.score ?? 0;
    this.students.promote(this.id(), this.belt(), score).subscribe(() => this.student.reload());
  }
}
