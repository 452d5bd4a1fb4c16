export { ReputationChip } from './reputation-chip.js';
export { CredentialStack } from './credential-stack.js';
export { BuilderPicker } from './builder-picker.js';
