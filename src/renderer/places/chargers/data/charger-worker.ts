import type { ChargePoint } from '../../../../shared/charger.ts'
import { ChargerDesk } from './charger-desk.ts'
import type { Question, Reply } from './protocol.ts'
import { workerScope } from './worker-scope.ts'

/*
 * Holds the chargers beside the page, so that looking through many of them never makes the page wait.
 */

const scope = workerScope<Question, Reply>()
const desk = new ChargerDesk(() => Date.now())

/** What is served at `chargersPath`. */
interface ChargerData {
  atMs: number
  unseen: readonly number[]
  chargers: readonly ChargePoint[]
}

async function load(address: string, favourites: readonly number[]): Promise<{ total: number; atMs: number }> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`The chargers could not be read (${response.status}).`)
  const { atMs, unseen, chargers } = (await response.json()) as ChargerData
  desk.load(chargers, unseen, favourites)
  return { total: chargers.length, atMs }
}

async function answer(question: Question): Promise<unknown> {
  switch (question.name) {
    case 'load':
      return load(question.asks.address, question.asks.favourites)
    case 'favourites':
      desk.setFavourites(question.asks.ids)
      return null
    case 'query':
      return desk.query(question.asks)
    case 'rows':
      return desk.rows(question.asks.from, question.asks.to)
    case 'markers':
      return desk.markers(question.asks.bounds, question.asks.zoom)
    case 'facet':
      return desk.facet(question.asks.name)
    case 'quick':
      return desk.quick()
    case 'detail':
      return desk.detail(question.asks.id)
    case 'site':
      return desk.site(question.asks.key)
    case 'position':
      return desk.position(question.asks.id)
    case 'expand':
      return desk.expand(question.asks.cluster)
    case 'suggest':
      return desk.suggest(question.asks.text)
    case 'export':
      return desk.export(question.asks.format, question.asks.sample)
  }
}

scope.onmessage = ({ data: question }) => {
  const { id } = question
  answer(question).then(
    (value) => scope.postMessage({ id, ok: true, answer: value }),
    (error: unknown) =>
      scope.postMessage({ id, ok: false, message: error instanceof Error ? error.message : String(error) }),
  )
}
