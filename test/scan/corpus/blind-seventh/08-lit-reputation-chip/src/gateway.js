/**
 * The elements run on foreign pages, so the origin and the key are given by the page:
 *   <script>window.ReputationChip = { origin: 'https://…', key: '…' }</script>
 */
const settings = () => ({
  origin: 'https://api.talentprotocol.com',
  key: '',
  ...(globalThis.ReputationChip ?? {}),
});

const store = new Map();
const TTL = 10 * 60 * 1000;

function endpoint(...parts) {
  return [settings().origin, 'api', 'v1', ...parts.map(encodeURIComponent)].join('/');
}

async function getJSON(url, signal) {
  const hit = store.get(url);
  if (hit && Date.now() - hit.at < TTL) return hit.json;
  const response = await fetch(url, { signal, headers: { 'X-API-KEY': settings().key } });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const json = await response.json();
  store.set(url, { at: Date.now(), json });
  return json;
}

export const gateway = {
  async passport(id, { signal } = {}) {
    return (await getJSON(endpoint('passports', id), signal)).passport;
  },

  async credentials(id, { signal } = {}) {
    const url = `${endpoint('passport_credentials')}?passport_id=${id}`;
    const { passport_credentials = [] } = await getJSON(url, signal);
    return passport_credentials;
  },

  /** Typing ahead: answers of any kind are good enough, the picker shows what it gets. */
  async suggest(keyword) {
    const response = await fetch(`${endpoint('passports')}?keyword=${encodeURIComponent(keyword)}`);
    const json = await response.json();
    return { items: json.passports ?? [], more: (json.pagination?.total ?? 0) > 25 };
  },
};
