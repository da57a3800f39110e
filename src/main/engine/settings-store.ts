import { isDeepStrictEqual } from 'node:util'
import { DEFAULT_SETTINGS, Settings } from '../../shared/settings/settings.ts'
import { Documents } from '../journal/documents.ts'
import { transact, type Db } from '../journal/journal.ts'

type Listener = () => void | Promise<void>

/** The settings in a journal, or the defaults. */
export function settingsIn(db: Db): Settings {
  return new Documents(db).get('settings', 'all', Settings) ?? DEFAULT_SETTINGS
}

/** A new installation makes its first texts in this language. */
export function beginSettings(db: Db, language: string): void {
  if (new Documents(db).get('settings', 'all', Settings) !== null) return
  changeSettings(db, (stored) => ({ ...stored, recipe: { ...stored.recipe, languages: [language] } }))
}

/** Reads and stores in one transaction. Returns what is stored now. */
export function changeSettings(db: Db, change: (stored: Settings) => Settings): Settings {
  return transact(db, () => {
    const changed = Settings.parse(change(settingsIn(db)))
    new Documents(db).put('settings', 'all', changed)
    return changed
  })
}

/** Owns the settings of a running engine: the stored ones with this run's overrides. Listeners name the members they depend on. */
export class SettingsStore {
  readonly #db: Db
  readonly #overrides: Partial<Settings>
  readonly #listeners: { members: readonly (keyof Settings)[] | 'any'; listener: Listener }[] = []
  #settings: Settings

  constructor(db: Db, overrides: Partial<Settings>) {
    this.#db = db
    this.#overrides = overrides
    this.#settings = this.withOverrides(settingsIn(db))
  }

  get(): Settings {
    return this.#settings
  }

  withOverrides(stored: Settings): Settings {
    return { ...stored, ...this.#overrides }
  }

  /** Resolves when all listeners have followed. Throws what `change` or a listener throws. */
  async change(change: (stored: Settings) => Settings): Promise<void> {
    const before = this.#settings
    this.#settings = this.withOverrides(changeSettings(this.#db, change))
    const names = Object.keys(before) as (keyof Settings)[]
    const changed = new Set(names.filter((name) => !isDeepStrictEqual(before[name], this.#settings[name])))
    if (changed.size === 0) return
    const concerned = this.#listeners.filter(
      ({ members }) => members === 'any' || members.some((name) => changed.has(name)),
    )
    const failures: unknown[] = []
    for (const { listener } of concerned) {
      try {
        await listener()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  /** Listeners run one after another, in the order in which they subscribed, also after one that fails. */
  subscribe(members: readonly (keyof Settings)[] | 'any', listener: Listener): void {
    this.#listeners.push({ members, listener })
  }
}
