import { createSignal, onCleanup } from 'solid-js'
import { render } from 'solid-js/web'
import { MemberPanel } from './components/MemberPanel'

function Kiosk() {
  const [card, setCard] = createSignal('')
  const reader = new EventSource(`${window.KIOSK.machineHost}/reader`)
  reader.onmessage = (e) => {
    const { wallet, score } = JSON.parse(e.data)
    if (score > 0.9) setCard(wallet)
  }
  onCleanup(() => reader.close())

  return (
    <main>
      <MemberPanel card={card()} />
      <button onClick={() => setCard('')}>Log out</button>
    </main>
  )
}

render(() => <Kiosk />, document.getElementById('root')!)
