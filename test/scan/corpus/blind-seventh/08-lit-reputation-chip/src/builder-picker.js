import { gateway } from './gateway.js';

const template = document.createElement('template');
template.innerHTML = `
  <input type="search" list="found" placeholder="Name of a builder" />
  <datalist id="found"></datalist>
  <output></output>
`;

/** Takes part in forms: the value is the main wallet. Written without Lit, as forms teams want it small. */
export class BuilderPicker extends HTMLElement {
  static formAssociated = true;
  #internals = this.attachInternals();
  #found = [];
  #timer;

  connectedCallback() {
    this.attachShadow({ mode: 'open' }).append(template.content.cloneNode(true));
    this.shadowRoot.querySelector('input').addEventListener('input', (event) => this.#type(event.target.value));
  }

  #type(text) {
    clearTimeout(this.#timer);
    const chosen = this.#found.find((p) => this.#label(p) === text);
    if (chosen) return this.#choose(chosen);
    if (text.length > 2) this.#timer = setTimeout(() => this.#search(text), 250);
  }

  async #search(text) {
    const { items, more } = await gateway.suggest(text);
    this.#found = items;
    this.shadowRoot.querySelector('datalist').replaceChildren(
      ...items.map((p) => {
        const option = document.createElement('option');
        option.value = this.#label(p);
        option.dataset.score = p.score;
        return option;
      }),
    );
    this.shadowRoot.querySelector('output').textContent = more ? 'There are more; type on.' : '';
  }

  #label(p) {
    return `${p.passport_profile?.display_name ?? 'Unnamed'} (${p.main_wallet?.slice(0, 8)})`;
  }

  #choose(p) {
    this.#internals.setFormValue(p.main_wallet);
    this.dispatchEvent(new CustomEvent('pick', { detail: { id: p.passport_id, wallets: p.verified_wallets } }));
  }
}

customElements.define('builder-picker', BuilderPicker);
