import { MAX_IMPORT_BYTES } from '../../shared/recipes/limits.ts'
import { MAX_PLACES, placeNamed, withPlaces, type OwnPlace } from '../../shared/chargers/route/own-places.ts'
import { gpxFile } from '../../shared/chargers/exports/gpx.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { ask } from './bridge.ts'
import { changeChargers } from './charger-settings.ts'
import { chooseFile } from './choose-file.ts'
import { errorText, sentenceIn } from './error-text.ts'
import { saveChargers } from './save-text.ts'
import { useShell } from './shell-store.ts'
import { toast } from './toasts.ts'

const NONE: readonly OwnPlace[] = []

export const useOwnPlaces = () => useShell(({ state }) => state?.settings.chargers.places ?? NONE)

/** Saves them, in place of those of the same names. Resolves to whether they were saved; why not is shown in a toast. */
export async function keepPlaces(more: readonly OwnPlace[]): Promise<boolean> {
  const { length: count } = withPlaces(useShell.getState().state?.settings.chargers.places ?? NONE, more)
  if (count <= MAX_PLACES) return changeChargers(({ places }) => ({ places: withPlaces(places, more) }))
  toast(sentenceIn(say('places_full', { most: MAX_PLACES })), { bad: true })
  return false
}

/** Removes those of these names. Resolves to whether that was stored; why not is shown in a toast. */
export const removePlaces = (gone: readonly OwnPlace[]): Promise<boolean> =>
  changeChargers(({ places }) => ({ places: places.filter(({ name }) => placeNamed(gone, name) === null) }))

/** Saves them as waypoints, for other programs and other windows. */
export async function savePlaces(places: readonly OwnPlace[]): Promise<void> {
  const points = places.map(({ name, ...place }) => ({ name, place }))
  await saveChargers('places', 'gpx', gpxFile(points, { name: 'Hangar' }))
}

/** Lets a person choose a GPX or SeeYou file, and saves its waypoints; a toast says which were left out. */
export function choosePlaces(): void {
  chooseFile({
    accept: '.gpx,.cup',
    tooLarge: (most) => say('places_too_large', { most }),
    unreadable: (why) => say('places_unreadable', { why }),
    maxBytes: MAX_IMPORT_BYTES,
    take: async (_, file) => {
      const answer = await ask('chargers.readWaypoints', { data: 'data' in file ? file.data : '' })
      if (!answer.ok) return errorText(answer.error)
      const { places, leftOut } = answer.value
      await keepPlaces(places)
      const [first] = leftOut
      return first === undefined ? null : sentenceIn(say('waypoints_left', { count: leftOut.length, first: first.why }))
    },
  })
}
