import { createRoot } from 'react-dom/client'
import { sdk } from '@farcaster/miniapp-sdk'
import { Allowance } from './Allowance'

createRoot(document.getElementById('root')!).render(<Allowance />)
sdk.actions.ready()
