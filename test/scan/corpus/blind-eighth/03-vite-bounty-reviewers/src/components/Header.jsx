import Badge from './Badge'

export default function Header({ me, address }) {
  if (!address) return <header>Connect a wallet to review</header>

  return (
    <header>
      <strong>{me?.passport_profile?.display_name || `${address.slice(0, 6)}…`}</strong>
      <Badge score={me?.score || 0} human={me?.human_checkmark} />
    </header>
  )
}
