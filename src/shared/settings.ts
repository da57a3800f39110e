import { z } from 'zod'
import { DEFAULT_RECIPE, Recipe } from './recipe.ts'

const cap = z.number().int().nonnegative().nullable()

/** What a person can set for the whole application. Every member has a default, so an older document stays readable. */
export const Settings = z.object({
  /** Null until a person gives one; then the practice service is what the UI uses. */
  imageBaseUrl: z.string().nullable().default(null),
  chargerBaseUrl: z.string().nullable().default(null),
  /** Both headers are documented (image service document, "Authentication"). */
  keyHeader: z.enum(['bearer', 'x-api-key']).default('bearer'),
  /** The documented limit is 60 a minute per key; less leaves room for others with the same key. */
  requestsPerMinute: z.number().int().min(1).max(600).default(60),
  /** Credits, as inferred from what was sent; null means no cap. */
  caps: z.object({ perDay: cap, perMonth: cap, perFolderPerDay: cap }).default({ perDay: null, perMonth: null, perFolderPerDay: null }),
  /** So many dispatches of one burst go without asking. */
  burstLimit: z.number().int().nonnegative().default(100),
  /** One resend of a picture whose answer was lost, without asking. It may be charged twice: off by default. */
  resendUnknownOnce: z.boolean().default(false),
  /** Finished jobs leave the list after so many days; what was paid and written stays known. */
  retentionDays: z.number().int().min(1).max(3650).default(90),
  paused: z.boolean().default(false),
  recipe: Recipe.default(DEFAULT_RECIPE),
})
export type Settings = z.infer<typeof Settings>

export const DEFAULT_SETTINGS: Settings = Settings.parse({})
