import { t } from 'i18next'
import type { Place, UiRecipe } from '../../shared/contract/places.ts'
import { ask, placesOf } from '../store/bridge.ts'
import { inBackground } from '../bridge/in-background.ts'
import { useShell } from '../store/shell-store.ts'
import { showOverlay, useView } from '../store/view-store.ts'
import { toast } from '../store/toasts.ts'
import { useConnection, type RefusedUpload } from '../bridge/connection.ts'

/** Shows the preview of an intake, or adds to the one that is open. `recipe` null starts with the default one. */
export function offerIntake(
  places: readonly Place[],
  recipe: UiRecipe | null = null,
  leftOut: readonly RefusedUpload[] = [],
): void {
  if (places.length === 0) return
  const { overlay } = useView.getState()
  if (overlay?.kind !== 'intake' || overlay.insteadOf !== undefined)
    return showOverlay({ kind: 'intake', places, recipe, leftOut })
  const { places: before, leftOut: refused = [] } = overlay
  showOverlay({ ...overlay, places: [...before, ...places], leftOut: [...refused, ...leftOut] })
}

/** Shows the preview of these files. Where the shell does not know their paths they are uploaded first. */
export async function takeFiles(files: readonly File[], recipe: UiRecipe | null = null): Promise<void> {
  const state = useShell.getState().state
  if (files.length === 0 || state === null) return
  const { capabilities } = state.app
  if (capabilities.includes('dropPaths')) {
    const places = await placesOf(files)
    // Such as a picture of the clipboard.
    if (places.length === 0) toast(t('intake:noFile'))
    return offerIntake(places, recipe)
  }
  if (!capabilities.includes('upload')) return
  if (state.settings.inboxDir !== null) return await uploadFiles(files, recipe)
  const { overlay } = useView.getState()
  const before = overlay?.kind === 'inbox' ? overlay.files : []
  showOverlay({ kind: 'inbox', files: [...before, ...files], recipe })
}

/** Uploads into the chosen folder; if the progress was closed meanwhile, a toast reports the end. */
export async function uploadFiles(files: readonly File[], recipe: UiRecipe | null): Promise<void> {
  const { overlay } = useView.getState()
  const before = overlay?.kind === 'intake' ? overlay : null
  showOverlay({ kind: 'upload' })
  const places = await placesOf(files)
  const refused = useConnection.getState().upload?.refused ?? []
  const offer = () => {
    showOverlay(before)
    offerIntake(places, recipe, refused)
  }
  // If nothing was accepted, the upload dialog has the reasons.
  const isNothing = places.length === 0 && refused.length > 1
  if (useView.getState().overlay?.kind === 'upload') {
    if (!isNothing) offer()
  } else if (places.length > 0 || isNothing)
    toast(isNothing ? t('intake:leftOut', { count: refused.length }) : t('intake:uploaded', { count: places.length }), {
      // These uploads are reachable nowhere else.
      stays: true,
      action: { label: t('frame:spend.review'), run: isNothing ? () => showOverlay({ kind: 'upload' }) : offer },
    })
}

/** The person cancelled: deletes what was uploaded for these places from the inbox, and nothing else. */
export function discardUploads(places: readonly Place[]): void {
  const uploads = useShell.getState().state?.app.capabilities.includes('upload') === true
  const tokens = places.filter(({ kind }) => kind === 'file').map(({ token }) => token)
  if (uploads && tokens.length > 0) inBackground(() => ask('uploads.discard', { tokens }))
}
