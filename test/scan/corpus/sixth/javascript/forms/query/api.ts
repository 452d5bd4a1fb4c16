import { createApi, fetchBaseQuery } from "@reduxjs/toolkit/query/react";
export const api = createApi({
  baseQuery: fetchBaseQuery({ baseUrl: "/api/v1" }),
  endpoints: (b) => ({
    creds: b.query({ // call: passport-credentials
      query: (id) => ({ url: "/passport_credentials", params: { passport_id: id } }),
      transformResponse: (r) => [...r.passport_credentials].sort((a, b) => b.score - a.score), // read: passport_credentials[].score
    }),
    person: b.query({ query: (id) => `/passports/${id}`, transformResponse: ({ passport }) => passport }), // call: passport
  }),
});
export const { useCredsQuery, usePersonQuery } = api;
