import type { ServiceId } from '../../shared/recipes/recipe.ts'
import { DurationModel, DurationModelState } from '../core/duration-model.ts'
import type { Documents } from './documents.ts'

const KIND = 'durations'
/** Earlier versions kept one model for all services under this name: each service starts from it. */
const SHARED = 'all'

/** How long jobs take, learned separately for each service: the practice service is faster than any real one. */
export class DurationModels {
  readonly #documents: Documents
  readonly #models = new Map<ServiceId, DurationModel>()

  constructor(documents: Documents) {
    this.#documents = documents
  }

  of(serviceId: ServiceId): DurationModel {
    const known = this.#models.get(serviceId)
    if (known !== undefined) return known
    const stored = (key: string) => this.#documents.get(KIND, key, DurationModelState)
    const model = new DurationModel(stored(serviceId) ?? stored(SHARED))
    this.#models.set(serviceId, model)
    return model
  }

  save(serviceId: ServiceId): void {
    this.#documents.put(KIND, serviceId, this.of(serviceId).state())
  }
}
