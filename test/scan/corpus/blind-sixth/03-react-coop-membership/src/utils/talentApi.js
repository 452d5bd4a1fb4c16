const TALENT_API = process.env.REACT_APP_TALENT_API || 'https://api.talentprotocol.com/api/v1';

const options = {
  method: 'GET',
  headers: {
    'Content-Type': 'application/json',
    'X-API-KEY': process.env.REACT_APP_TALENT_API_KEY,
  },
};

export const fetchPassportByWallet = async (address) => {
  const url = `${TALENT_API}/passports/${address}`;
  const response = await fetch(url, options);
  const data = await response.json();
  return data.passport;
};

export const fetchCredentials = async (passportId) => {
  const url = `${TALENT_API}/passport_credentials?passport_id=${passportId}`;
  const response = await fetch(url, options);
  const data = await response.json();
  return data.passport_credentials || [];
};

export const searchPassports = async (keyword, page = 1) => {
  const response = await fetch(`${TALENT_API}/passports?keyword=${keyword}&page=${page}`, options);
  if (response.status !== 200) {
    throw new Error('Search failed');
  }
  return response.json();
};
