import i18next from 'i18next'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { askOrToast } from '../store/bridge.ts'
import { useShell } from '../store/shell-store.ts'
import { goTo } from '../store/view-store.ts'
import { toast } from '../parts/toasts.tsx'
import { offerIntake } from './offer-intake.ts'
import { takeFiles } from './take-files.ts'

/** Lets a person choose pictures, in the system's dialogue or the browser's, and shows what they would mean. */
export async function choosePictures(recipe: UiRecipe | null = null): Promise<void> {
  if (useShell.getState().state?.app.capabilities.includes('pickPaths') === true) {
    const picked = await askOrToast('places.pick', { kind: 'files' })
    offerIntake(picked?.places ?? [], recipe)
  } else await takeFiles(await chooseFiles(), recipe)
}

/** Lets a person choose a folder of the computer Hangar runs on, and shows what processing it once would mean. */
export async function chooseFolder(): Promise<void> {
  const { pickFolder } = await import('../pickers/pick-folder.tsx')
  const place = await pickFolder(i18next.t('intake:chooseFolder'))
  if (place !== null) offerIntake([place])
}

/** Copies the sample pictures into a folder of their own, processes them, and shows them in Jobs. */
export async function trySamples(): Promise<boolean> {
  const started = await askOrToast('intake.samples', {})
  if (started === null) return false
  goTo('jobs', { jobsFilter: null, overlay: null })
  toast(i18next.t('intake:samplesStarted', { path: started.place.path }))
  return true
}

/** What the service takes; a person may still choose other files, and is told then. */
const ACCEPTED = 'image/jpeg,image/png,image/gif,image/webp'

/** The browser's own dialogue for files; nothing when the person changed their mind. */
export function chooseFiles(): Promise<File[]> {
  const field = document.createElement('input')
  field.type = 'file'
  field.multiple = true
  field.accept = ACCEPTED
  return new Promise((resolve) => {
    field.addEventListener('change', () => resolve([...(field.files ?? [])]))
    field.addEventListener('cancel', () => resolve([]))
    field.click()
  })
}
