import type english from './en/chargers.json'

/** The keys of the chargers' catalogue, by their paths; plurals without their endings. */
type KeysOf<Texts, Path extends string = ''> = {
  [Key in keyof Texts & string]: Texts[Key] extends string
    ? `${Path}${Key extends `${infer Base}_${'one' | 'other'}` ? Base : Key}`
    : KeysOf<Texts[Key], `${Path}${Key}.`>
}[keyof Texts & string]

type ChargerKey = KeysOf<typeof english>

/** Says a text of the chargers' catalogue with its values filled in; `count` chooses the plural. */
export type ChargerTranslate = (key: ChargerKey, values?: Readonly<Record<string, string | number>>) => string
