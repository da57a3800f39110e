import type { PageResponse } from '../../shared/contract/calls.ts'
import { MOST_PLACES, withPlaces, type OwnPlace } from '../../shared/chargers/route/own-places.ts'
import { cupFile } from '../../shared/chargers/exports/cup.ts'
import { gpxFile } from '../../shared/chargers/exports/gpx.ts'
import { today } from '../../shared/runtime/local-day.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { ask } from './bridge.ts'
import { changeChargers } from './charger-settings.ts'
import { chooseFile } from './choose-file.ts'
import { errorText, sentenceIn } from './error-text.ts'
import { saveText } from './save-text.ts'
import { useShell } from './shell-store.ts'

const NONE: readonly OwnPlace[] = []

export const useOwnPlaces = () => useShell(({ state }) => state?.settings.chargers.places ?? NONE)

/** Saves them, in place of those of the same names. Resolves to why they are not; null if they are. */
export async function keepPlaces(more: readonly OwnPlace[]): Promise<string | null> {
  const places = withPlaces(useShell.getState().state?.settings.chargers.places ?? NONE, more)
  if (places.length > MOST_PLACES) return sentenceIn(say('places_full', { most: MOST_PLACES, count: places.length }))
  await changeChargers({ places })
  return null
}

export const removePlaces = (gone: readonly OwnPlace[]) =>
  changeChargers({
    places: (useShell.getState().state?.settings.chargers.places ?? NONE).filter((place) => !gone.includes(place)),
  })

/** Saves them as waypoints, for other programs and other windows. */
export async function savePlaces(places: readonly OwnPlace[], format: 'gpx' | 'cup'): Promise<void> {
  const points = places.map(({ name, ...place }) => ({ name, place, icao: null, description: '', more: [] }))
  const [text, type] =
    format === 'gpx'
      ? [gpxFile(points, 'Hangar', false), 'application/gpx+xml']
      : [cupFile(points), 'text/plain;charset=utf-8']
  await saveText(`places-${today()}.${format}`, type, text)
}

/** Lets a person choose a GPX or SeeYou file. `take` gets its waypoints, and resolves to why they are refused; null if they are not. A toast says
 * which were left out. */
export function chooseWaypoints(
  take: (waypoints: PageResponse<'chargers.readWaypoints'>['places']) => Promise<string | null>,
): void {
  chooseFile({
    accept: '.gpx,.cup',
    tooLarge: (most) => say('places_too_large', { most }),
    unreadable: (why) => say('places_unreadable', { why }),
    take: async (_, data) => {
      const answer = await ask('chargers.readWaypoints', { data })
      if (!answer.ok) return errorText(answer.error)
      const { places, leftOut } = answer.value
      const [first] = leftOut
      const refused = await take(places)
      return first === undefined || refused !== null
        ? refused
        : sentenceIn(say('waypoints_left', { count: leftOut.length, first: first.why }))
    },
  })
}

/** Lets a person choose a file, and saves its waypoints. */
export const choosePlaces = (): void =>
  chooseWaypoints((waypoints) => keepPlaces(waypoints.map(({ name, lat, lng }) => ({ name, lat, lng }))))
