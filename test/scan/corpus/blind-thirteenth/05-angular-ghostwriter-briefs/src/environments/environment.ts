export const environment = {
  production: false,
  briefsApi: 'http://localhost:8080/briefs',
  talent: {
    root: 'https://api.talentprotocol.com/api/v1/',
    apiKey: 'dev-key',
  },
};
