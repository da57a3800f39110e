import { ChargerDesk, asMember, type Member } from './charger-desk.ts'
import type { Question, Reply } from './protocol.ts'
import { readChargers, ReadFailed } from './read-chargers.ts'
import { RouteDesk } from './route-desk.ts'
import { workerScope } from './worker-scope.ts'

/*
 * Holds the chargers in a worker, so that searching many of them never blocks the page.
 */

const scope = workerScope<Question, Reply>()
const desk = new ChargerDesk(() => Date.now())
const routes = new RouteDesk(() => Date.now())

let loading = new AbortController()

/** Aborts a load that is still running: an older set must not replace a newer one. */
async function load(address: string): Promise<{ total: number; atMs: number }> {
  loading.abort()
  loading = new AbortController()
  const response = await fetch(address, { signal: loading.signal })
  if (!response.ok || response.body === null)
    throw new ReadFailed({ code: 'chargers_status', values: { status: String(response.status) } })
  const all: Member[] = []
  const { atMs, unseen } = await readChargers(response.body, (chargers) => {
    for (const charger of chargers) all.push(asMember(charger, all.length))
  })
  desk.load(all, unseen)
  routes.load(all, unseen)
  return { total: all.length, atMs }
}

async function answer(question: Question): Promise<unknown> {
  switch (question.name) {
    case 'load':
      return load(question.asks.address)
    case 'favourites':
      desk.setFavourites(question.asks.ids)
      return null
    case 'aircraft':
      desk.setAircraft(question.asks.aircraft)
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
    case 'quality':
      return desk.quality()
    case 'place':
      return routes.place(question.asks.text)
    case 'route':
      return routes.plan(question.asks.plan)
    case 'export':
      return desk.export(question.asks.format, question.asks.sample)
  }
}

/** Precomputing starts after this much time without a question. */
const IDLE_MS = 500
let idle: ReturnType<typeof setTimeout> | undefined

scope.onmessage = ({ data: question }) => {
  const { id } = question
  clearTimeout(idle)
  idle = setTimeout(() => desk.makeReady(), IDLE_MS)
  answer(question).then(
    (value) => scope.postMessage({ id, ok: true, answer: value }),
    (error: unknown) =>
      scope.postMessage({ id, ok: false, why: error instanceof ReadFailed ? error.sentence : { raw: String(error) } }),
  )
}
