import { LitElement, html, nothing } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { Task } from '@lit/task';
import { gateway } from './gateway.js';
import { base } from './styles.js';

const FORMAT = new Intl.NumberFormat();

export class ReputationChip extends LitElement {
  static styles = base;
  static properties = {
    wallet: { type: String },
    details: { type: Boolean, reflect: true },
    theme: { type: String },
  };

  #load = new Task(this, {
    args: () => [this.wallet],
    task: async ([wallet], { signal }) => {
      const passport = await gateway.passport(wallet, { signal });
      this.dispatchEvent(
        new CustomEvent('reputation', { bubbles: true, detail: { wallet, score: passport.score } }),
      );
      return passport;
    },
  });

  render() {
    if (!this.wallet) return nothing;
    return this.#load.render({
      pending: () => html`<span class="chip faint">…</span>`,
      complete: (passport) => this.#chip(passport),
      error: () => html`<span class="chip faint">0</span>`,
    });
  }

  #chip(passport) {
    const classes = { chip: true, human: passport.human_checkmark, faint: passport.calculating_score };
    return html`
      <span class=${classMap(classes)} title="Calculated ${passport.last_calculated_at ?? 'never'}">
        ${passport.passport_profile?.display_name} <b>${FORMAT.format(passport.score)}</b>
      </span>
      ${this.details ? this.#details(passport) : nothing}
    `;
  }

  #details({ passport_id, passport_profile, passport_socials, connections_count }) {
    return html`
      <section>
        <p>${passport_profile?.bio}</p>
        <p class="faint">${passport_profile?.location} · ${connections_count ?? '?'} connections</p>
        <p>${(passport_profile?.tags ?? []).map((tag) => html`<kbd>${tag}</kbd> `)}</p>
        <ul>
          ${passport_socials?.map(
            (s) => html`<li>
              <a href=${s.profile_url} target="_blank">${s.profile_display_name || s.profile_name}</a>
              on ${s.source}, ${FORMAT.format(Number(s.follower_count))} followers
            </li>`,
          )}
        </ul>
        <credential-stack passport=${passport_id}></credential-stack>
      </section>
    `;
  }
}

customElements.define('reputation-chip', ReputationChip);
