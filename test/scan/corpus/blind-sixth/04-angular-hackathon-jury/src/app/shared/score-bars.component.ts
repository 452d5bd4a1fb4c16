import { Component, computed, input } from '@angular/core';
import { Passport } from '../core/talent.models';

@Component({
  standalone: true,
  selector: 'app-score-bars',
  template: `
    @for (bar of bars(); track bar.label) {
      <div class="bar" [style.width.%]="bar.percent">{{ bar.label }}</div>
    }
  `,
})
export class ScoreBarsComponent {
  readonly passport = input.required<Passport>();

  readonly bars = computed(() => {
    const { activity_score, identity_score, skills_score } = this.passport();
    const max = Math.max(activity_score, identity_score, skills_score, 1);
    return [
      { label: 'Activity', percent: (activity_score / max) * 100 },
      { label: 'Identity', percent: (identity_score / max) * 100 },
      { label: 'Skills', percent: (skills_score / max) * 100 },
    ];
  });
}
