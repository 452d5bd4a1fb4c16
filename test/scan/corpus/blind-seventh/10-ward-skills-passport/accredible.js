const axios = require('axios');

const http = axios.create({
  baseURL: 'https://api.accredible.com/v1',
  headers: { Authorization: `Token token=${process.env.ACCREDIBLE_KEY}` },
});

/** Course certificates of one person. */
async function credentialsOf(email) {
  try {
    const { data } = await http.get('/all_credentials', { params: { email, page_size: 50 } });
    return data.credentials.map((c) => ({
      id: c.id,
      name: c.name,
      type: c.group_name,
      earned_at: c.issued_on,
      url: c.url,
      score: c.grade ?? null,
    }));
  } catch (e) {
    console.error('accredible', e.message);
    return [];
  }
}

module.exports = { credentialsOf };
