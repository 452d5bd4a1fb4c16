import { useEffect, useState } from 'react';
import { BrowserProvider } from 'ethers';

export function useWallet() {
  const [address, setAddress] = useState(null);

  const connect = async () => {
    const provider = new BrowserProvider(window.ethereum);
    const [first] = await provider.send('eth_requestAccounts', []);
    setAddress(first);
  };

  useEffect(() => {
    if (!window.ethereum) return undefined;
    const onChange = (accounts) => setAddress(accounts[0] || null);
    window.ethereum.on('accountsChanged', onChange);
    return () => window.ethereum.removeListener('accountsChanged', onChange);
  }, []);

  return { address, connect };
}
