import { bodyOf } from '../../src/main/chargers/charger-set.ts'
import type { ChargePoint } from '../../src/shared/chargers/charger.ts'

/** The document that a page reads. */
export const servedChargers = async (chargers: readonly ChargePoint[]): Promise<Buffer> =>
  Buffer.from(`[\n${String(await bodyOf(chargers))}\n]`)
