import axios from 'axios';

const coop = axios.create({ baseURL: process.env.REACT_APP_COOP_API });

// our own backend: members and their votes
export const getMembership = (address) => coop.get(`/members/${address}`).then((r) => r.data);
export const getProposals = () => coop.get('/proposals').then((r) => r.data.proposals);
export const vote = (id, address, weight) => coop.post(`/proposals/${id}/votes`, { address, weight });
