export { TalentPassportClient, type ClientOptions } from './client';
export { TalentApiError } from './errors';
export * from './helpers';
export type * from './types';
