import { AsyncPipe } from '@angular/common';
import { Component, inject } from '@angular/core';
import { FormControl, ReactiveFormsModule } from '@angular/forms';
import { RouterLink } from '@angular/router';
import { debounceTime, distinctUntilChanged, startWith, switchMap } from 'rxjs';
import { ReputationService } from '../core/reputation.service';

@Component({
  selector: 'app-troupe',
  imports: [AsyncPipe, ReactiveFormsModule, RouterLink],
  template: `
    <input [formControl]="query" placeholder="Find a puppeteer" />
    @for (person of people$ | async; track person.id) {
      <a [routerLink]="['/troupe', person.id]">
        {{ person.name }} ({{ person.score }})
        @if (person.verified) {
          <span>✓</span>
        }
      </a>
    }
  `,
})
export class TroupeComponent {
  private readonly reputation = inject(ReputationService);
  readonly query = new FormControl('', { nonNullable: true });
  readonly people$ = this.query.valueChanges.pipe(
    startWith(''),
    debounceTime(250),
    distinctUntilChanged(),
    switchMap((term) => this.reputation.search(term)),
  );
}
