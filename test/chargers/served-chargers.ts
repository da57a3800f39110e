import { bodyOf, documentOf } from '../../src/main/chargers/charger-set.ts'
import type { ChargePoint } from '../../src/shared/chargers/charger.ts'

/** The document that a page reads. */
export const servedChargers = async (chargers: readonly ChargePoint[], facts: object = {}): Promise<Buffer> =>
  documentOf({ version: 7, atMs: 0, unseen: [], ...facts }, await bodyOf(chargers))
