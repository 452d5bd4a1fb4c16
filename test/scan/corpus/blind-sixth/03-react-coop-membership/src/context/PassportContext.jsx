import React, { createContext, useCallback, useContext, useEffect, useMemo, useReducer } from 'react';
import { fetchCredentials, fetchPassportByWallet } from '../utils/talentApi';
import { getMembership } from '../utils/coopApi';
import { useWallet } from '../hooks/useWallet';

const PassportContext = createContext(null);

const initialState = { status: 'idle', passport: null, credentials: [], membership: null };

function reducer(state, action) {
  switch (action.type) {
    case 'loading':
      return { ...state, status: 'loading' };
    case 'loaded':
      return { ...state, status: 'ready', passport: action.passport, credentials: action.credentials };
    case 'membership':
      return { ...state, membership: action.membership };
    case 'reset':
      return initialState;
    default:
      return state;
  }
}

export function PassportProvider({ children }) {
  const [state, dispatch] = useReducer(reducer, initialState);
  const { address } = useWallet();

  const refresh = useCallback(async () => {
    if (!address) return dispatch({ type: 'reset' });
    dispatch({ type: 'loading' });
    try {
      const passport = await fetchPassportByWallet(address);
      const credentials = await fetchCredentials(passport.passport_id);
      dispatch({ type: 'loaded', passport, credentials });
    } catch (error) {
      console.log('could not load passport', error);
      dispatch({ type: 'loaded', passport: null, credentials: [] });
    }
  }, [address]);

  useEffect(() => {
    refresh();
    if (address) {
      getMembership(address)
        .then((membership) => dispatch({ type: 'membership', membership }))
        .catch(() => dispatch({ type: 'membership', membership: null }));
    }
  }, [address, refresh]);

  const value = useMemo(() => ({ ...state, refresh }), [state, refresh]);
  return <PassportContext.Provider value={value}>{children}</PassportContext.Provider>;
}

export function usePassport() {
  const ctx = useContext(PassportContext);
  if (!ctx) throw new Error('usePassport outside of PassportProvider');
  return ctx;
}
