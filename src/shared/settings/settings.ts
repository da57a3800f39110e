import { z } from 'zod'
import { DEFAULT_RECIPE, Recipe } from '../recipes/recipe.ts'
import { MAX_REQUESTS_PER_MINUTE } from '../recipes/limits.ts'
import { MAX_KW, MAX_KWH, MAX_RANGE_NM, MAX_SPEED_KT, MAX_AIRCRAFT, RESERVE_UNITS } from '../chargers/route/aircraft.ts'
import { MAX_PLACE_NAME, MAX_PLACES } from '../chargers/route/own-places.ts'
import { LANGUAGES } from '../text/languages.ts'
import { withoutUndefined } from './without-undefined.ts'

const cap = z.number().int().nonnegative().nullable()

const figure = (most: number) => z.number().positive().max(most).nullable()
const names = z.array(z.string().trim().min(1).max(80)).max(10)

/** An aircraft saved under a name; units as in `Aircraft`. */
export const KeptAircraft = z.object({
  id: z.string().min(1).max(40),
  name: z.string().trim().min(1).max(80),
  connectors: names,
  types: names,
  rangeNm: z.number().min(1).max(MAX_RANGE_NM),
  reserve: z.object({ value: z.number().min(0).max(MAX_RANGE_NM), unit: z.enum(RESERVE_UNITS) }),
  speedKt: figure(MAX_SPEED_KT),
  usableKwh: figure(MAX_KWH),
  maxKw: figure(MAX_KW),
})
export type KeptAircraft = z.infer<typeof KeptAircraft>

/** As in `own-places.ts`. */
export const OwnPlace = z.object({
  name: z.string().trim().min(1).max(MAX_PLACE_NAME),
  lat: z.number().min(-90).max(90),
  lng: z.number().min(-180).max(180),
})

/** A route saved under a name. */
const savedRoute = z.object({
  id: z.string().min(1).max(40),
  name: z.string().trim().min(1).max(100),
  /** The query of its address (`queryOfPlan`). */
  query: z.string().max(8000),
  /** The address of the charger service that it was planned with; null for the practice service. */
  service: z.string().max(500).nullable(),
  /** The chargers at its stops. */
  chargers: z.array(z.number().int()).max(500),
  /** The names of those stops. */
  stops: z.array(z.string().max(200)).max(100),
  /** Notify when one of them goes out of order or is no longer listed. */
  notify: z.boolean(),
})
export type SavedRoute = z.infer<typeof savedRoute>

const members = {
  /** Null until a person gives one; then the practice service is what the UI uses. */
  imageBaseUrl: z.string().nullable(),
  chargerBaseUrl: z.string().nullable(),
  /** The team ledger, `postgres://user@host/database`; null if this computer shares no account. */
  ledgerUrl: z.string().max(1000).nullable(),
  /** This computer's name in the team; null for its host name. */
  computerName: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .regex(/^\P{Cc}*$/u)
    .nullable(),
  /** Both headers are documented (image service document, "Authentication"). */
  keyHeader: z.enum(['bearer', 'x-api-key']),
  /** The documented limit is 60 a minute per key; less leaves room for others, more is for a service that allows it. */
  requestsPerMinute: z.number().int().min(1).max(MAX_REQUESTS_PER_MINUTE),
  /** In pictures sent, which is the only figure known for certain; null means no cap. */
  caps: z.object({ perDay: cap, perMonth: cap, perFolderPerDay: cap }),
  /** Resend a picture once, without asking, when its answer was lost. It may be charged twice: off by default. */
  resendUnknownOnce: z.boolean(),
  /** Finished jobs leave the list after this many days; the record of payments and outputs stays. */
  retentionDays: z.number().int().min(1).max(3650),
  /** Nothing new is sent; the results of what was sent are still fetched. */
  paused: z.boolean(),
  recipe: Recipe,
  appearance: z.object({ theme: z.enum(['system', 'light', 'dark']), language: z.enum(['system', ...LANGUAGES]) }),
  /** Which events cause notifications outside the window, where the shell supports them. */
  notifications: z.object({ batchDone: z.boolean(), needsPerson: z.boolean() }),
  startAtLogin: z.boolean(),
  /** Closing the window leaves Hangar running in the tray. */
  keepInTray: z.boolean(),
  /** The folder for files uploaded by a browser; null until a person chose one. */
  inboxDir: z.string().nullable(),
  verboseLog: z.boolean(),
  chargers: z.object({
    /** 0: only when a person asks. */
    refreshMinutes: z.union([z.literal(0), z.literal(1), z.literal(5), z.literal(15), z.literal(60)]),
    /** Notify when a favourite charger becomes free, busy or broken, appears or disappears. */
    notifyFavourites: z.boolean(),
    aircraft: z.array(KeptAircraft).max(MAX_AIRCRAFT),
    /** The aircraft to check chargers against: the id of a saved one or `EXAMPLE_ID`; null for none. */
    aircraftId: z.string().max(40).nullable(),
    routes: z.array(savedRoute).max(50),
    places: z.array(OwnPlace).max(MAX_PLACES),
  }),
}

/** Settings of the whole application. Every member has a default, so an older document stays readable. */
export const Settings = z.object({
  imageBaseUrl: members.imageBaseUrl.default(null),
  chargerBaseUrl: members.chargerBaseUrl.default(null),
  ledgerUrl: members.ledgerUrl.default(null),
  // A stored name that is refused today resets that alone, not all settings.
  computerName: members.computerName.catch(null).default(null),
  keyHeader: members.keyHeader.default('bearer'),
  requestsPerMinute: members.requestsPerMinute.default(60),
  caps: members.caps.default({ perDay: null, perMonth: null, perFolderPerDay: null }),
  resendUnknownOnce: members.resendUnknownOnce.default(false),
  retentionDays: members.retentionDays.default(90),
  paused: members.paused.default(false),
  recipe: members.recipe.default(DEFAULT_RECIPE),
  // A language that this version lacks resets that choice alone, not all settings.
  appearance: members.appearance
    .extend({ language: members.appearance.shape.language.catch('system') })
    .default({ theme: 'system', language: 'system' }),
  notifications: members.notifications.default({ batchDone: true, needsPerson: true }),
  startAtLogin: members.startAtLogin.default(false),
  keepInTray: members.keepInTray.default(true),
  inboxDir: members.inboxDir.default(null),
  verboseLog: members.verboseLog.default(false),
  chargers: members.chargers
    .extend({
      aircraft: members.chargers.shape.aircraft.default([]),
      aircraftId: members.chargers.shape.aircraftId.default(null),
      routes: members.chargers.shape.routes.default([]),
      places: members.chargers.shape.places.default([]),
    })
    .prefault({ refreshMinutes: 15, notifyFavourites: false }),
})
export type Settings = z.infer<typeof Settings>

/** A change of some settings: absent members stay as they are, also those of a group, so nothing has a default here. */
export const SettingsChange = z
  .object({
    ...members,
    caps: members.caps.partial(),
    appearance: members.appearance.partial(),
    notifications: members.notifications.partial(),
    chargers: members.chargers.partial(),
  })
  .partial()
export type SettingsChange = z.infer<typeof SettingsChange>

/** Settings whose members are changed one by one. */
export const SETTING_GROUPS = ['caps', 'appearance', 'notifications', 'chargers'] as const satisfies (keyof Settings)[]

/** The settings after a change. Members that are undefined mean "not given". */
export function changedSettings(before: Settings, change: SettingsChange): Settings {
  const groups = SETTING_GROUPS.map((name) => [name, { ...before[name], ...withoutUndefined(change[name] ?? {}) }])
  return { ...before, ...withoutUndefined(change), ...Object.fromEntries(groups) } as Settings
}

export const DEFAULT_SETTINGS: Settings = Settings.parse({})
