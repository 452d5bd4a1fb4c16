export class TalentApiError extends Error {
  constructor(
    readonly status: number,
    readonly path: string,
  ) {
    super(`Talent API ${path} failed with ${status}`);
    this.name = 'TalentApiError';
  }

  get isUnauthorized() {
    return this.status === 401;
  }
}
