export const environment = {
  production: false,
  reputation: {
    url: 'https://api.talentprotocol.com/api/v1',
    apiKey: 'dev-key',
  },
  ticketsUrl: 'http://localhost:8080/tickets',
};
