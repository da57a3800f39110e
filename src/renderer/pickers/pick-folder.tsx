import { createRoot } from 'react-dom/client'
import type { Place } from '../../shared/contract/places.ts'
import { askOrToast } from '../store/bridge.ts'
import { useShell } from '../store/shell-store.ts'
import { wantTexts } from '../text/start-texts.ts'
import { FolderBrowser } from './folder-browser.tsx'

/** In the system's dialog where the shell has one, else in the page. Null if it was cancelled, or failed, which a toast says. */
export async function pickFolder(title: string): Promise<Place | null> {
  const can = useShell.getState().state?.app.capabilities ?? []
  if (!can.includes('pickPaths')) return browse(title)
  const picked = await askOrToast('places.pick', { kind: 'folder' })
  return picked?.places[0] ?? null
}

async function browse(title: string): Promise<Place | null> {
  await wantTexts('folders')
  const element = document.createElement('div')
  document.body.append(element)
  const root = createRoot(element)
  return new Promise((resolve) => {
    const end = (place: Place | null) => {
      root.unmount()
      element.remove()
      resolve(place)
    }
    root.render(<FolderBrowser title={title} onPick={end} onClose={() => end(null)} />)
  })
}
