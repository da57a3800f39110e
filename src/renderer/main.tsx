// First, so that what a component says of its own parts comes after it.
import './styles/tokens.css'
import './styles/base.css'
import './styles/button.css'
import './styles/field.css'
import './styles/dialog.css'
import './styles/menu.css'
import './styles/controls.css'
import './styles/forced-colours.css'
import { createRoot } from 'react-dom/client'
import { connectToShell } from './bridge/connect.ts'
import { App } from './frame/app.tsx'
import { rememberedAppearance, showTheme } from './frame/appearance.ts'
import { keepFocus } from './parts/keep-focus.ts'
import { setBridge } from './store/bridge.ts'
import { followAddress } from './store/follow-address.ts'
import { listenToShell } from './store/shell-store.ts'
import { keepTypedTexts } from './store/typed-texts.ts'
import { startTexts } from './text/start-texts.ts'

const place = document.getElementById('root')
if (place === null) throw new Error('index.html has no element with the id root')

const { theme, language } = rememberedAppearance()
showTheme(theme)
try {
  await startTexts(language)
  setBridge(connectToShell())
  listenToShell()
  keepTypedTexts()
  keepFocus()
  followAddress()
  createRoot(place).render(<App />)
} catch (error) {
  // There are no texts to take words from, but those of index.html.
  for (const words of place.querySelectorAll<HTMLElement>('.not-loaded'))
    if (words.lang === language) words.classList.add('now')
    else words.remove()
  throw error
}
