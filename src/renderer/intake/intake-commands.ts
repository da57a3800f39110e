import { t } from 'i18next'
import { create } from 'zustand'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { MEDIA_TYPES } from '../../shared/jobs/picture-name.ts'
import { askOrToast } from '../store/bridge.ts'
import { useShell } from '../store/shell-store.ts'
import { goTo, showOverlay } from '../store/view-store.ts'
import { toast } from '../store/toasts.ts'
import { openWhenDone } from './open-when-done.ts'
import { offerIntake, takeFiles } from './take-files.ts'

/** Lets a person choose pictures, in the system's dialog or the browser's, and shows their preview. */
export async function choosePictures(recipe: UiRecipe | null = null): Promise<void> {
  if (useShell.getState().state?.app.capabilities.includes('pickPaths') === true) {
    const picked = await askOrToast('places.pick', { kind: 'files' })
    offerIntake(picked?.places ?? [], recipe)
  } else await takeFiles(await chooseFiles(), recipe)
}

/** Lets a person choose a folder on the computer that runs Hangar, and shows the preview of processing it once. */
export async function chooseFolder(): Promise<void> {
  const { pickFolder } = await import('../pickers/pick-folder.tsx')
  const place = await pickFolder(t('intake:chooseFolder'))
  if (place !== null) offerIntake([place])
}

/** Shows the preview of processing the pictures of these jobs with another recipe, which takes the place of theirs. */
export async function processAgain(ids: readonly string[], recipe: UiRecipe | null = null): Promise<void> {
  const sources = await askOrToast('jobs.sources', { ids: [...ids] })
  if (sources === null) return
  const { places, missing } = sources
  if (missing > 0) toast(t('jobs:originalsGone', { count: missing }))
  if (places.length > 0) showOverlay({ kind: 'intake', places, recipe, insteadOf: ids })
}

/** Whether samples were asked for and are not in the queue yet: the practice service may have to start first. */
export const useSamples = create<{ areStarting: boolean }>(() => ({ areStarting: false }))

export async function trySamples(): Promise<void> {
  if (useSamples.getState().areStarting) return
  useSamples.setState({ areStarting: true })
  const started = await askOrToast('intake.samples', {})
  useSamples.setState({ areStarting: false })
  if (started === null) return
  goTo('jobs', { jobsFilter: {}, overlay: null })
  // One with nothing smaller has no two sides to compare.
  openWhenDone(started.batchId, ({ optimizedBytes, convertedBytes }) => (optimizedBytes ?? convertedBytes) !== null)
}

/** The browser's file dialog; empty if it is cancelled. Other types can be chosen all the same, and are refused with a reason. */
function chooseFiles(): Promise<File[]> {
  const field = document.createElement('input')
  field.type = 'file'
  field.multiple = true
  field.accept = MEDIA_TYPES.join(',')
  return new Promise((resolve) => {
    field.addEventListener('change', () => resolve([...(field.files ?? [])]))
    field.addEventListener('cancel', () => resolve([]))
    field.click()
  })
}
