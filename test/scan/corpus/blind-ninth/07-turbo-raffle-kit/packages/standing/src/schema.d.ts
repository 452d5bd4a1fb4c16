export interface paths {
  '/api/v1/passports': {
    get: {
      parameters: { query?: { keyword?: string; page?: number }; header?: { 'X-API-KEY'?: string } }
      responses: {
        200: {
          content: {
            'application/json': {
              passports: components['schemas']['Passport'][]
              pagination: components['schemas']['Pagination']
            }
          }
        }
        401: { content: { 'application/json': { error?: string } } }
      }
    }
  }
  '/api/v1/passports/{id}': {
    get: {
      parameters: { path: { id: string | number }; header?: { 'X-API-KEY'?: string } }
      responses: {
        200: { content: { 'application/json': { passport: components['schemas']['Passport'] } } }
        401: { content: { 'application/json': { error?: string } } }
      }
    }
  }
}

export interface components {
  schemas: {
    Passport: {
      passport_id: number
      score: number
      activity_score: number
      human_checkmark: boolean
      main_wallet: string | null
      verified_wallets: string[]
      passport_profile: { display_name: string | null; bio: string | null }
      passport_socials?: { source: string; following_count: string | null }[]
    }
    Pagination: { current_page: number; last_page: number; total: number }
  }
}
