import type english from './en/chargers.json'

/** A key of the chargers' catalogue; plurals without their endings. */
type ChargerKey = keyof {
  [Key in keyof typeof english as Key extends `${infer Base}_${'one' | 'other'}` ? Base : Key]: 0
}

/** Says a text of the chargers' catalogue with its values filled in; `count` chooses the plural. */
export type ChargerTranslate = (key: ChargerKey, values?: Readonly<Record<string, string | number>>) => string
