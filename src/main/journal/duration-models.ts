import { PRACTICE_SERVICE, type ServiceId } from '../../shared/recipes/recipe.ts'
import { DurationModel, DurationModelState } from '../core/duration-model.ts'
import type { Documents } from './documents.ts'

const KIND = 'durations'
/** When jobs of the practice service end (`QUICK_JOBS`): the first samples are asked about when they are done. */
const PRACTICE_AGES_MS = [550, 900, 1500]

/** How long jobs take, learned for each service: the practice service is faster than any real one. */
export class DurationModels {
  readonly #documents: Documents
  readonly #models = new Map<ServiceId, DurationModel>()

  constructor(documents: Documents) {
    this.#documents = documents
  }

  of(serviceId: ServiceId): DurationModel {
    const known = this.#models.get(serviceId)
    if (known !== undefined) return known
    const learned = this.#documents.get(KIND, serviceId, DurationModelState)
    const model = new DurationModel(learned)
    if (learned === null && serviceId === PRACTICE_SERVICE)
      for (const age of PRACTICE_AGES_MS) model.observe('process', { notDoneAtAgeMs: age / 2, doneAtAgeMs: age })
    this.#models.set(serviceId, model)
    return model
  }

  save(serviceId: ServiceId): void {
    this.#documents.put(KIND, serviceId, this.of(serviceId).state())
  }
}
