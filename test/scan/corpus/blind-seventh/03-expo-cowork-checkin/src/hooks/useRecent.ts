import AsyncStorage from '@react-native-async-storage/async-storage';
import { useCallback, useEffect, useState } from 'react';

export type Recent = { wallet: string; label: string; at: number };

export function useRecent() {
  const [recent, setRecent] = useState<Recent[]>([]);

  useEffect(() => {
    AsyncStorage.getItem('recent').then((raw) => raw && setRecent(JSON.parse(raw)));
  }, []);

  const remember = useCallback((entry: Recent) => {
    setRecent((old) => {
      const next = [entry, ...old.filter((r) => r.wallet !== entry.wallet)].slice(0, 20);
      AsyncStorage.setItem('recent', JSON.stringify(next));
      return next;
    });
  }, []);

  return { recent, remember };
}
