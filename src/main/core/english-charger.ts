import catalogue from '../../shared/text/en/chargers.json' with { type: 'json' }
import type { ChargerTranslate } from '../../shared/text/charger-translate.ts'
import { straightText } from '../../shared/text/safe-characters.ts'

interface Texts {
  readonly [key: string]: string | Texts
}

/** The texts of chargers for the command line, which speaks English alone. */
export const englishCharger: ChargerTranslate = (key, values = {}) => {
  const path = key.split('.')
  const name = values.count === undefined ? path.at(-1)! : `${path.at(-1)}_${values.count === 1 ? 'one' : 'other'}`
  const texts = path.slice(0, -1).reduce<Texts>((node, part) => node[part] as Texts, catalogue)
  return (texts[name] as string).replace(/\{\{(\w+)\}\}/g, (_, value: string) => straightText(String(values[value])))
}
