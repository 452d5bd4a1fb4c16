import axios from "axios";
const http = axios.create({ baseURL: process.env.BASE });
const call = async (path) => (await fetch(process.env.BASE + path)).json();
export const early = async (id) => (await call("/profile?id=" + id)).profile.human_checkmark;
export const later = async (id) => (await http.get("/scores", { params: { id } })).data.main_wallet;
export const p = async (id) => (await call("/api/v1/passports/" + id)).passport.score; // call: passport; read: passport.score
export const q = async (id) => (await http.get(`/api/v1/passports/${id}`)).data.passport.score; // call: passport; read: passport.score
