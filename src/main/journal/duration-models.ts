import type { ServiceId } from '../../shared/recipes/recipe.ts'
import { DurationModel, DurationModelState } from '../core/duration-model.ts'
import type { Documents } from './documents.ts'

const KIND = 'durations'

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
    const model = new DurationModel(this.#documents.get(KIND, serviceId, DurationModelState))
    this.#models.set(serviceId, model)
    return model
  }

  save(serviceId: ServiceId): void {
    this.#documents.put(KIND, serviceId, this.of(serviceId).state())
  }
}
