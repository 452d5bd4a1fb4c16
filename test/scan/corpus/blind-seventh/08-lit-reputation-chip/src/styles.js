import { css } from 'lit';

export const base = css`
  :host {
    display: inline-block;
    font: 14px/1.4 system-ui;
  }
  .chip {
    border-radius: 99px;
    padding: 2px 10px;
    background: var(--chip-background, #eee);
  }
  .human::after {
    content: ' ✓';
  }
  .faint {
    opacity: 0.5;
  }
`;
