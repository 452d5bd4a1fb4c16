import { LitElement, html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { gateway } from './gateway.js';
import { base } from './styles.js';

export class CredentialStack extends LitElement {
  static styles = base;
  static properties = {
    passport: { type: Number },
    category: { type: String },
    credentials: { state: true },
    failed: { state: true },
  };

  constructor() {
    super();
    this.credentials = [];
    this.failed = false;
  }

  updated(changed) {
    if (changed.has('passport') && this.passport) this.refresh();
  }

  async refresh() {
    try {
      this.credentials = await gateway.credentials(this.passport);
      this.failed = false;
    } catch {
      this.credentials = [];
      this.failed = true;
    }
  }

  get visible() {
    return this.category ? this.credentials.filter((c) => c.category === this.category) : this.credentials;
  }

  render() {
    if (this.failed) return html`<em>Credentials are not available</em>`;
    const sum = this.visible.reduce((n, c) => n + (c.score || 0), 0);
    return html`
      <details>
        <summary>${this.visible.length} credentials, ${sum} points</summary>
        ${repeat(
          this.visible,
          (c) => c.id,
          (c) => html`
            <div data-type=${c.type}>
              ${c.name}: ${c.value}
              <meter min="0" max=${c.max_score} value=${c.score}></meter>
              <time datetime=${c.earned_at}>${c.earned_at?.slice(0, 10)}</time>
            </div>
          `,
        )}
      </details>
    `;
  }
}

customElements.define('credential-stack', CredentialStack);
