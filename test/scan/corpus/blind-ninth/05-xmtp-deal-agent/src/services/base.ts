import { request } from 'undici'

export abstract class JsonService {
  protected constructor(
    private readonly origin: string,
    private readonly headers: Record<string, string>,
  ) {}

  protected async get(path: string, query?: Record<string, unknown>): Promise<any> {
    const { body } = await request(`${this.origin}${path}`, { headers: this.headers, query })
    return body.json()
  }
}
