export const environment = {
  production: false,
  talentApi: 'https://api.talentprotocol.com/api/v1',
  talentKey: '',
  juryApi: 'http://localhost:4300',
};
