import { createApi, fetchBaseQuery } from "@reduxjs/toolkit/query/react";
export const repApi = createApi({
  reducerPath: "rep",
  baseQuery: fetchBaseQuery({ baseUrl: "https://rep.example.org/api/v1/" }),
  endpoints: (builder) => ({
    getPassport: builder.query<any, string>({ // call: passport
      query: (id) => `passports/${id}`,
      transformResponse: (r: any) => r.passport,
    }),
    getCreds: builder.query({ // call: passport-credentials
      query: (id) => ({ url: "passport_credentials", params: { passport_id: id } }),
    }),
  }),
});
export const { useGetPassportQuery, useGetCredsQuery } = repApi;
