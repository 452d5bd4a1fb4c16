import axios, { type AxiosInstance, type AxiosResponse } from "axios";
export const http: AxiosInstance = axios.create({ baseURL: process.env.REP });
export const get = <T>(url: string, params?: object) => http.get<T>(url, { params }).then((r: AxiosResponse<T>) => r.data);
export const unwrap = <T>(p: Promise<AxiosResponse<T>>) => p.then(({ data }) => data);
