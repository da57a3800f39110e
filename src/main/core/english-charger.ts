import texts from '../../shared/text/en/chargers.json' with { type: 'json' }
import type { ChargerTranslate } from '../../shared/text/charger-translate.ts'
import { straightText } from '../../shared/text/safe-characters.ts'

/** The texts of chargers for the command line, which speaks English alone. */
export const englishCharger: ChargerTranslate = (key, values = {}) => {
  const name = values.count === undefined ? key : `${key}_${values.count === 1 ? 'one' : 'other'}`
  return texts[name as keyof typeof texts].replace(/\{\{(\w+)\}\}/g, (_, value: string) =>
    straightText(String(values[value])),
  )
}
