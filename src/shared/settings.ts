import { z } from 'zod'
import { DEFAULT_RECIPE, Recipe } from './recipe.ts'

const cap = z.number().int().nonnegative().nullable()

const members = {
  /** Null until a person gives one; then the practice service is what the UI uses. */
  imageBaseUrl: z.string().nullable(),
  chargerBaseUrl: z.string().nullable(),
  /** Both headers are documented (image service document, "Authentication"). */
  keyHeader: z.enum(['bearer', 'x-api-key']),
  /** The documented limit is 60 a minute per key; less leaves room for others with the same key. */
  requestsPerMinute: z.number().int().min(1).max(600),
  /** Pictures sent, which is what is known for sure; null means no cap. */
  caps: z.object({ perDay: cap, perMonth: cap, perFolderPerDay: cap }),
  /** One resend of a picture whose answer was lost, without asking. It may be charged twice: off by default. */
  resendUnknownOnce: z.boolean(),
  /** Finished jobs leave the list after so many days; what was paid and written stays known. */
  retentionDays: z.number().int().min(1).max(3650),
  /** Nothing new is sent; what was sent is brought home. */
  paused: z.boolean(),
  recipe: Recipe,
}

/** What a person can set for the whole application. Every member has a default, so an older document stays readable. */
export const Settings = z.object({
  imageBaseUrl: members.imageBaseUrl.default(null),
  chargerBaseUrl: members.chargerBaseUrl.default(null),
  keyHeader: members.keyHeader.default('bearer'),
  requestsPerMinute: members.requestsPerMinute.default(60),
  caps: members.caps.default({ perDay: null, perMonth: null, perFolderPerDay: null }),
  resendUnknownOnce: members.resendUnknownOnce.default(false),
  retentionDays: members.retentionDays.default(90),
  paused: members.paused.default(false),
  recipe: members.recipe.default(DEFAULT_RECIPE),
})
export type Settings = z.infer<typeof Settings>

/** Some settings: what is not given stays as it is, so nothing has a default here. */
export const SettingsChange = z.object(members).partial()
export type SettingsChange = z.infer<typeof SettingsChange>

export const DEFAULT_SETTINGS: Settings = Settings.parse({})
