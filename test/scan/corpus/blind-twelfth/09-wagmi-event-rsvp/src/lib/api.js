import axios from 'axios'
import camelcaseKeys from 'camelcase-keys'

const camel = (data) => (data && typeof data === 'object' ? camelcaseKeys(data, { deep: true }) : data)

const http = axios.create({
  transformResponse: [...axios.defaults.transformResponse, camel],
})

export const getEvent = (slug) => http.get(`/backend/events/${slug}`).then((r) => r.data)

export const sendRsvp = (slug, body) => http.post(`/backend/events/${slug}/rsvps`, body).then((r) => r.data)

export const getPassport = (address) => http.get(`/talent/passports/${address}`).then((r) => r.data.passport)

export const getCredentials = (passportId) =>
  http
    .get('/talent/passport_credentials', { params: { passport_id: passportId } })
    .then((r) => r.data.passportCredentials)

export const searchGuests = (keyword) => http.get('/talent/passports', { params: { keyword } }).then((r) => r.data)
