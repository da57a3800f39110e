import type { z } from 'zod'
import { Settings, SettingsChange } from '../settings/settings.ts'
import { nothing, type Calls } from './call.ts'
import { UiRecipe, type PlaceForms, type Side } from './places.ts'

/** As a page reads them: `inboxDir` is a path for display only, or null. */
export const UiSettings = Settings.extend({ recipe: UiRecipe })
export type UiSettings = z.infer<typeof UiSettings>

export const settingsCalls = <S extends Side>(at: PlaceForms<S>) =>
  ({
    'settings.get': { by: 'engine', request: nothing, response: Settings },
    /** Absent members stay as they are. A page sets `inboxDir` by a token, and reads it as a path for display. */
    'settings.set': {
      by: 'both',
      changesService: true,
      request: SettingsChange.extend({
        recipe: at.recipe.optional(),
        inboxDir: at.folder.nullable().optional(),
      }),
      response: Settings.extend({ recipe: at.recipe }),
    },
  }) as const satisfies Calls
