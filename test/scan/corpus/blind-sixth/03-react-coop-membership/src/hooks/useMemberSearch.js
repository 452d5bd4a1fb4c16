import { useEffect, useRef, useState } from 'react';
import { searchPassports } from '../utils/talentApi';

export default function useMemberSearch(keyword) {
  const [results, setResults] = useState([]);
  const [hasMore, setHasMore] = useState(false);
  const [page, setPage] = useState(1);
  const [error, setError] = useState(null);
  const latest = useRef(0);

  useEffect(() => setPage(1), [keyword]);

  useEffect(() => {
    if (!keyword) {
      setResults([]);
      return;
    }
    const ticket = ++latest.current;
    searchPassports(keyword, page)
      .then(({ passports, pagination }) => {
        if (ticket !== latest.current) return;
        setResults((prev) => (page === 1 ? passports : prev.concat(passports)));
        setHasMore(pagination.current_page < pagination.last_page);
        setError(null);
      })
      .catch(setError);
  }, [keyword, page]);

  return { results, hasMore, error, more: () => setPage((p) => p + 1) };
}
