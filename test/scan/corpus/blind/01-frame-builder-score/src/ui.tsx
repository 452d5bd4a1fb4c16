export function Box({ children }: { children: any }) {
  return (
    <div style={{ display: 'flex', flexDirection: 'column', width: '100%', height: '100%', background: '#111', color: 'white' }}>
      {children}
    </div>
  )
}

export const Title = ({ children }: { children: any }) => <div style={{ fontSize: 64 }}>{children}</div>

export function Stat({ label, value }: { label: string; value: number }) {
  return (
    <div style={{ display: 'flex', justifyContent: 'space-between', fontSize: 36 }}>
      <span>{label}</span>
      <span>{value}</span>
    </div>
  )
}
