import type { ReactNode } from 'react'
import { SearchBox } from '../components/SearchBox'

export const metadata = { title: 'Guild Atlas' }

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <header>
          <a href="/">Guild Atlas</a>
          <SearchBox />
        </header>
        {children}
      </body>
    </html>
  )
}
