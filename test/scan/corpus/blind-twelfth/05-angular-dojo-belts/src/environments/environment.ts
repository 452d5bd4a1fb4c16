export const environment = {
  production: false,
  apiUrl: 'http://localhost:3000/api',
  talent: {
    url: 'https://api.talentprotocol.com/api/v1',
    key: 'dev-key',
  },
};
