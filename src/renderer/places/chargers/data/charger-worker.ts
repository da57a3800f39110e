import { ChargerDesk, asMember, type Member } from './charger-desk.ts'
import type { AnswerTo, Asked, AsksOf, Question, QuestionName, Reply } from './protocol.ts'
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

const ANSWERS: {
  readonly [Name in QuestionName]: (asks: AsksOf<Name>) => AnswerTo<Name> | Promise<AnswerTo<Name>>
} = {
  load: ({ address }) => load(address),
  favourites: ({ ids }) => (desk.setFavourites(ids), null),
  aircraft: ({ aircraft }) => (desk.setAircraft(aircraft), null),
  query: (query) => desk.query(query),
  rows: ({ from, to }) => desk.rows(from, to),
  markers: ({ bounds, zoom }) => desk.markers(bounds, zoom),
  facet: ({ name }) => desk.facet(name),
  quick: () => desk.quick(),
  detail: ({ id }) => desk.detail(id),
  site: ({ key }) => desk.site(key),
  position: ({ id }) => desk.position(id),
  expand: ({ cluster }) => desk.expand(cluster),
  suggest: ({ text }) => desk.suggest(text),
  place: ({ text, own }) => routes.place(text, own),
  route: ({ plan }) => routes.plan(plan),
  waypoints: ({ waypoints }) => desk.waypoints(waypoints),
  export: (asked) => desk.export(asked),
}

async function answer<Name extends QuestionName>({ name, asks }: Asked<Name>): Promise<AnswerTo<Name>> {
  return ANSWERS[name](asks)
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
