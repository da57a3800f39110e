import { z } from 'zod'
import { AppErrorShape } from '../sentences/errors.ts'
import { KeyPlace } from '../runtime/key-place.ts'
import { nothing, type Calls } from './call.ts'

export const KeyStatus = z.object({
  name: z.enum(['image', 'chargers']),
  origin: z.string().nullable(),
  present: z.boolean(),
  ...KeyPlace.shape,
  /** When it was set in Hangar; null for a key from elsewhere. */
  setAtMs: z.number().nullable(),
})
export type KeyStatus = z.infer<typeof KeyStatus>

/** The service's verdict on a key; `unchecked` when it could not be asked. */
export const KeyCheck = z.enum(['accepted', 'refused', 'unchecked'])
export type KeyCheck = z.infer<typeof KeyCheck>

export const keyCalls = {
  /** Tries the key with one free call and stores it, unless it is refused (`key_refused`). `problem`: why it could not be tried. */
  'keys.set': {
    by: 'both',
    changesService: true,
    request: z.object({
      name: z.enum(['image', 'chargers']),
      key: z.string().max(10_000),
      /** Whether it belongs to the account whose jobs are in flight; null when that is not known. */
      sameAccount: z.boolean().nullable().default(null),
      /** What the person entered the key for: nothing is stored when another address is in use by now, unless `use` is set. */
      address: z.string().max(2000).nullable().default(null),
      /** The address is in use from now on, once the key is stored. */
      use: z.boolean().default(false),
      /** Stores the key even when the service refuses it. */
      keepRefused: z.boolean().default(false),
    }),
    response: KeyStatus.extend({ check: KeyCheck, problem: AppErrorShape.nullable() }),
  },
  'keys.delete': {
    by: 'both',
    changesService: true,
    request: z.object({
      name: z.enum(['image', 'chargers']),
      /** The address or origin that the key was entered for; null for the one in use. */
      address: z.string().max(2000).nullable().default(null),
    }),
    response: KeyStatus,
  },
  'keys.status': { by: 'both', request: z.object({ name: z.enum(['image', 'chargers']) }), response: KeyStatus },
  /** The keychain can be read now. */
  'keys.readAgain': { by: 'engine', request: nothing, response: nothing },
  /** Checks the stored key with one free call to the service. */
  'keys.test': {
    by: 'both',
    request: z.object({ name: z.enum(['image', 'chargers']) }),
    /** `problem` says why it was not accepted; the key need not be at fault. */
    response: z.object({ accepted: z.boolean(), problem: AppErrorShape.nullable() }),
  },
} as const satisfies Calls
