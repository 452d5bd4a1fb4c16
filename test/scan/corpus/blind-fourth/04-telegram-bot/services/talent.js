const axios = require('axios');

const client = axios.create({
  baseURL: process.env.TALENT_URL || 'https://api.talentprotocol.com/api/v1',
  timeout: 8000,
  headers: { 'X-API-KEY': process.env.TALENT_KEY },
});

async function getPassport(wallet) {
  try {
    const { data } = await client.get(`/passports/${wallet}`);
    return data.passport;
  } catch (err) {
    console.error('getPassport', err.message);
    return null;
  }
}

async function searchPassports(keyword) {
  try {
    const { data } = await client.get('/passports', { params: { keyword } });
    return { items: data.passports, total: data.pagination.total };
  } catch (err) {
    return { items: [], total: 0 };
  }
}

async function getCredentials(passportId) {
  const { data } = await client.get('/passport_credentials', {
    params: { passport_id: passportId },
  });
  return data.passport_credentials;
}

module.exports = { getPassport, searchPassports, getCredentials };
