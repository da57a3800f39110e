import { z } from 'zod'
import { ChargerStatus } from '../chargers/charger-status.ts'
import { SentenceShape } from '../sentences/sentence-shape.ts'
import { OwnPlace } from '../settings/settings.ts'
import { MAX_FAVOURITES, MAX_IMPORT_CHARS } from '../recipes/limits.ts'
import { nothing, type Calls } from './call.ts'

export const chargerCalls = {
  /** Refreshes now at a person's request, regardless of the schedule. Joins a running refresh; does not wait for its end. */
  'chargers.refresh': { by: 'both', request: nothing, response: ChargerStatus },
  /** The chargers for the shells, as a JSON array of `ChargePoint` in UTF-8, one a line. Null before the first refresh. */
  'chargers.data': {
    by: 'engine',
    request: nothing,
    response: z.custom<Uint8Array>((value) => value instanceof Uint8Array).nullable(),
  },
  /** Marks chargers, or none if there would be too many (`bad_request`). `service`: whose ids they are; by default the one in use. */
  'chargers.favourites': {
    by: 'both',
    request: z.object({
      ids: z.array(z.number().int()).max(MAX_FAVOURITES),
      favourite: z.boolean(),
      service: z.string().max(500).optional(),
    }),
    response: z.object({ ids: z.array(z.number().int()) }),
  },
  /** The named waypoints in a GPX or SeeYou (CUP) file, in base64, and which were left out. Throws `bad_request` where there are none. */
  'chargers.readWaypoints': {
    by: 'both',
    request: z.object({ data: z.string().max(MAX_IMPORT_CHARS) }),
    response: z.object({
      places: z.array(OwnPlace),
      leftOut: z.array(z.object({ name: z.string(), why: SentenceShape })),
    }),
  },
} as const satisfies Calls
