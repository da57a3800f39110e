import type { Operation } from '../shared/recipes/recipe.ts'
import type { Random } from '../shared/runtime/ports.ts'
import type { JobTime } from './protocol.ts'
import { normal } from './seeded-random.ts'

export type PartKind = 'analyze' | 'optimize' | 'convert'

/** When one of the concurrent jobs sets its status and when it ends, in milliseconds after dispatch. */
export interface PartTimes {
  kind: PartKind
  setsAtMs: number[]
  endsAtMs: number
}

const PARTS: Record<Operation, readonly PartKind[]> = {
  process: ['analyze', 'optimize', 'convert'],
  analyze: ['analyze'],
  optimize: ['optimize'],
  convert: ['convert'],
}

export function drawJobTimeMs(jobTime: JobTime, random: Random): number {
  return jobTime.kind === 'fixed' ? jobTime.ms : jobTime.medianMs * Math.exp(jobTime.sigma * normal(random))
}

/**
 * Lays out the concurrent jobs of one dispatch so that the last of them ends after exactly `totalMs` (image service
 * document, "States and transitions", rule 3). Each sets the status when it starts and may set it again later, whatever
 * the others did meanwhile, so the intermediate values come in any order and can come back.
 */
export function scheduleParts(operation: Operation, totalMs: number, random: Random): PartTimes[] {
  const kinds = PARTS[operation]
  const last = Math.floor(random() * kinds.length)
  return kinds.map((kind, index) => {
    const endsAtMs = index === last ? totalMs : totalMs * (0.3 + 0.7 * random())
    const startsAtMs = endsAtMs * (0.02 + 0.3 * random())
    const setsAtMs = [startsAtMs]
    if (kinds.length > 1 && random() < 0.5) setsAtMs.push(startsAtMs + (endsAtMs - startsAtMs) * random())
    return { kind, setsAtMs, endsAtMs }
  })
}
