export const API_ROOT = import.meta.env.VITE_PASSPORT_API || 'https://passport.example';

export const fetcher = async (path) => {
  const res = await fetch(`${API_ROOT}${path}`, {
    headers: { 'X-API-KEY': import.meta.env.VITE_PASSPORT_KEY },
  });
  if (!res.ok) {
    const error = new Error('Request failed');
    error.status = res.status;
    throw error;
  }
  return res.json();
};

export const shorten = (address) => {
  if (!address) return '';
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
};
