import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Documents } from '../journal/documents.ts'

const Stored = z.object({ id: z.string().min(1), run: z.number().int().nonnegative() })
type Stored = z.infer<typeof Stored>

/** Who a computer is to its team, each time that it enters a ledger. */
export interface Identity {
  /** For the next time. Stored before the ledger hears of it. */
  next(): Stored
  /** The ledger knows of later runs of the same computer: it becomes another one. */
  renew(): Stored
}

/**
 * By what the computers of a team tell each other apart: a random id of this data folder, and how often it entered a ledger. A copy
 * of the folder, or an old one put back, is behind the ledger's count and gets an id of its own.
 */
export class TeamIdentity implements Identity {
  readonly #documents: Documents

  constructor(documents: Documents) {
    this.#documents = documents
  }

  next(): Stored {
    const known = this.#documents.get('team', 'identity', Stored) ?? { id: randomUUID(), run: 0 }
    return this.#put({ id: known.id, run: known.run + 1 })
  }

  renew(): Stored {
    return this.#put({ id: randomUUID(), run: 1 })
  }

  #put(identity: Stored): Stored {
    this.#documents.put('team', 'identity', identity)
    return identity
  }
}

/** What ends the id of one that only asks, beside an engine that may be at work: it is in no list. */
export const GUEST = ':guest'

/** A command that makes a few free calls and claims nothing. It may not write in the data folder. */
export class GuestIdentity implements Identity {
  readonly #nowMs: () => number

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  next(): Stored {
    return { id: `${randomUUID()}${GUEST}`, run: Math.floor(this.#nowMs() / 1000) % 2 ** 31 }
  }

  renew(): Stored {
    return this.next()
  }
}
