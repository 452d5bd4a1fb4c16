import { createApi, fetchBaseQuery, retry } from '@reduxjs/toolkit/query/react'
import type { Credential, Passport, PassportList } from './types'

const baseQuery = fetchBaseQuery({
  baseUrl: `${import.meta.env.VITE_TALENT_URL}/api/v1/`,
  prepareHeaders: (headers) => {
    headers.set('X-API-KEY', import.meta.env.VITE_TALENT_KEY)
    return headers
  },
})

export const passportApi = createApi({
  reducerPath: 'passportApi',
  baseQuery: retry(baseQuery, { maxRetries: 2 }),
  tagTypes: ['Passport'],
  endpoints: (builder) => ({
    listPassports: builder.query<PassportList, { keyword: string; page: number }>({
      query: ({ keyword, page }) => ({
        url: 'passports',
        params: keyword ? { keyword, page } : { page },
      }),
      keepUnusedDataFor: 120,
    }),
    getPassport: builder.query<Passport, string>({
      query: (id) => `passports/${id}`,
      transformResponse: (response: { passport: Passport }) => response.passport,
      providesTags: (passport) => (passport ? [{ type: 'Passport', id: passport.passport_id }] : []),
    }),
    getCredentials: builder.query<Record<string, Credential[]>, number>({
      query: (passportId) => ({ url: 'passport_credentials', params: { passport_id: passportId } }),
      transformResponse: (response: { passport_credentials: Credential[] }) => {
        const groups: Record<string, Credential[]> = {}
        for (const credential of response.passport_credentials) {
          ;(groups[credential.category] ??= []).push(credential)
        }
        return groups
      },
    }),
  }),
})

export const { useListPassportsQuery, useGetPassportQuery, useGetCredentialsQuery } = passportApi
