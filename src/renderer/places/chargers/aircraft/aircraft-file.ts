import { create } from 'zustand'
import type { PageResponse } from '../../../../shared/contract/calls.ts'
import { say } from '../../../../shared/sentences/sentence.ts'
import { ask } from '../../../store/bridge.ts'
import { chooseFile } from '../../../store/choose-file.ts'
import { errorText } from '../../../store/error-text.ts'
import { saveText } from '../../../store/save-text.ts'
import { fileStem } from '../../../text/file-stem.ts'
import { figuresOf, type NamedAircraft } from './use-aircraft.ts'

/** What a chosen file would change; null while none is looked at. */
export const useAircraftFile = create<{ read: PageResponse<'chargers.readAircraft'> | null }>(() => ({ read: null }))

/** Lets a person choose a configuration, and shows what its aircraft would change. */
export function chooseAircraftFile(): void {
  chooseFile({
    accept: '.json,application/json',
    tooLarge: (most) => say('aircraft_too_large', { most }),
    unreadable: (why) => say('aircraft_unreadable', { why }),
    take: async (_, data) => {
      const answer = await ask('chargers.readAircraft', { data })
      if (!answer.ok) return errorText(answer.error)
      useAircraftFile.setState({ read: answer.value })
      return null
    },
  })
}

/** Saves aircraft as a configuration that has nothing else, for `hangar config import` and other windows. */
export async function saveAircraft(aircraft: readonly NamedAircraft[]): Promise<void> {
  const entries = aircraft.map((one) => ({ name: one.name, ...figuresOf(one) }))
  const [first] = aircraft
  const stem = aircraft.length === 1 && first !== undefined ? fileStem(first.name, 'aircraft') : 'aircraft'
  const text = `${JSON.stringify({ chargers: { aircraft: entries } }, null, 2)}\n`
  await saveText(`${stem}.hangar-aircraft.json`, 'application/json', text)
}
