export class ReputeError extends Error {
  constructor(
    message: string,
    public readonly status: number,
    public readonly body?: unknown,
  ) {
    super(message)
    this.name = 'ReputeError'
  }
}

export class NotFound extends ReputeError {}
