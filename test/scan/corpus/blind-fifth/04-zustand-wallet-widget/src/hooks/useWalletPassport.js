import { useEffect } from 'react'
import { useAccount } from 'wagmi'
import { usePassportStore } from '../store/usePassportStore'

export function useWalletPassport() {
  const { address, isConnected } = useAccount()
  const load = usePassportStore((s) => s.load)
  const loading = usePassportStore((s) => s.loading)
  const passport = usePassportStore((s) => s.byWallet[address]?.passport)
  const credentials = usePassportStore((s) => s.credentials[address])

  useEffect(() => {
    if (isConnected) load(address)
  }, [address, isConnected, load])

  return {
    loading,
    passport,
    score: passport?.score ?? 0,
    isHuman: Boolean(passport?.human_checkmark),
    credentials: credentials ?? [],
  }
}
