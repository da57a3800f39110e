import { t } from 'i18next'
import { askOrToast, placesOf } from '../store/bridge.ts'
import { useShell } from '../store/shell-store.ts'
import { offerIntake, takeFiles } from '../intake/take-files.ts'
import { pastedName } from './pasted-name.ts'

/**
 * Shows the preview of what was pasted. A picture that is no file yet, such as a screenshot, becomes one first: the system's box
 * asks where to, or it is uploaded like any other.
 */
export async function takePasted(files: readonly File[]): Promise<void> {
  const [first] = files
  if (first === undefined) return
  const namesPaths = useShell.getState().state?.app.capabilities.includes('dropPaths') === true
  const name = pastedName(first, new Date(), (date, time) => t('intake:pasted', { date, time }))
  if (!namesPaths) return takeFiles(name === null ? files : [new File([first], name, { type: first.type })])
  const places = await placesOf(files)
  if (places.length > 0 || name === null) return offerIntake(places)
  const bytes = new Uint8Array(await first.arrayBuffer())
  const saved = await askOrToast('places.savePicture', { filename: name, bytes })
  if (saved?.place != null) offerIntake([saved.place])
}
