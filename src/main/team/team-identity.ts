import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Documents } from '../journal/documents.ts'

const Stored = z.object({ id: z.string().min(1), run: z.number().int().nonnegative() })
type Stored = z.infer<typeof Stored>

/** A random id of the data folder, and how often it has entered a ledger: a copied or restored one is behind, and gets a new id. */
export class TeamIdentity {
  readonly #documents: Documents

  constructor(documents: Documents) {
    this.#documents = documents
  }

  /** The identity for the next entry. Stored before the ledger sees it. */
  next(): Stored {
    const known = this.#documents.get('team', 'identity', Stored) ?? { id: randomUUID(), run: 0 }
    return this.#put({ id: known.id, run: known.run + 1 })
  }

  /** The ledger has seen later runs of this computer: it takes a new identity. */
  renew(): Stored {
    return this.#put({ id: randomUUID(), run: 1 })
  }

  #put(identity: Stored): Stored {
    this.#documents.put('team', 'identity', identity)
    return identity
  }
}
