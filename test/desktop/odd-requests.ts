import { CALLS, PAGE_CALL_NAMES, type PageCall } from '../../src/shared/contract/calls.ts'

/** Calls that refuse an object without members; all others take one with unknown members for an empty one, and do what they do. */
const DEMANDING = PAGE_CALL_NAMES.filter((name) => !CALLS[name].request.safeParse({}).success)
/** A few of them: what is huge takes its time in Electron itself. */
const SOME: readonly PageCall[] = ['jobs.rows', 'intake.add']

export interface Odd {
  name: PageCall
  what: string
  /** `refused`; what was answered instead; or what was thrown into the page. */
  outcome: string
}

/**
 * In the page, as text: makes every call with shapes of requests that no page of ours makes, and leaves an `Odd` for each in
 * `window.oddRequests`.
 */
export const MAKE_ODD_REQUESTS = `void (async () => {
  const { calls, placesOf, acknowledge } = window.hangar
  const cyclic = {}
  cyclic.self = cyclic
  let deep = {}
  for (let n = 0; n < 5000; n += 1) deep = { deep }
  const primitives = {
    undefined: undefined, null: null, true: true, zero: 0, NaN: NaN, Infinity: Infinity, bigint: 10n, symbol: Symbol('x'),
    text: 'x', empty: '', function: () => { window.ranInPage = true }, promise: Promise.resolve({}),
  }
  const objects = {
    regexp: /x/, array: [], 'array of nothing': [, ,], map: new Map([['ids', []]]), date: new Date(NaN), bytes: new Uint8Array(8), cyclic, deep,
    getter: { get ids() { throw new Error('looked at') } },
    functions: { ids: () => [], id: () => 'x', then: (take) => take({ ok: true }) },
    'without a prototype': Object.create(null),
    polluting: JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
    'wrong members': { id: {}, ids: {}, paths: 'x', path: 7, recipe: [], name: null, url: 1, text: {}, filename: {}, link: 5, kind: {},
      find: {}, names: 'x', items: 1, languageCode: {}, folder: {}, parent: 1, service: [], key: {}, value: () => 1, afterSeq: NaN },
    'paths never handed out': { id: '/etc/passwd', ids: ['../../etc/passwd'], paths: ['/etc/passwd'], path: '/etc/passwd',
      token: '/etc/passwd', parent: '/etc', folder: '/etc', filename: '../../../tmp/hangar-odd' },
  }
  const huge = {
    'a million elements': { ids: new Array(1e6).fill('x'), paths: new Array(1e6).fill('x') },
    'a long text': { ids: ['x'.repeat(5e6)], paths: ['x'.repeat(5e6)] },
  }
  const found = []
  const make = async (name, what, call) => {
    let outcome
    try {
      const result = await Promise.race([call(), new Promise((over) => setTimeout(over, 60_000))])
      outcome = typeof result?.ok !== 'boolean' ? 'no result: ' + typeof result : result.ok ? 'done' : 'refused'
    } catch (error) {
      outcome = 'thrown: ' + error.message
    }
    found.push({ name, what, outcome })
  }
  const each = (names, values) => Promise.all(names.flatMap((name) =>
    Object.entries(values).map(([what, value]) => make(name, what, () => calls[name](value)))))
  await each(Object.keys(calls), primitives)
  await each(${JSON.stringify(DEMANDING)}, objects)
  await each(${JSON.stringify(SOME)}, huge)
  const files = { nothing: undefined, text: 'x', objects: [{}, { path: '/etc/passwd' }], 'not a list': { length: 1e9 }, functions: [() => 1], function: () => 1 }
  for (const [what, value] of Object.entries(files)) await make('placesOf', what, () => placesOf(value))
  for (const [what, value] of Object.entries({ ...primitives, cyclic })) await make('acknowledge', what, () => { acknowledge(value); return { ok: false } })
  return found
})().then((found) => { window.oddRequests = found })`

/** In the page: ways to come by more than the bridge gives. */
export const REACH_BEHIND_BRIDGE = `(() => {
  const { calls, onMessage } = window.hangar
  const tried = {}
  const attempt = (what, act) => { try { tried[what] = act() } catch { tried[what] = 'threw' } }
  const seen = [calls, onMessage, calls['jobs.rows'], calls['jobs.rows']({}), window.hangar]
  attempt('globals of a function', () => seen.map((one) => typeof one.constructor.constructor('return typeof process + typeof require + typeof ipcRenderer')()).join())
  attempt('another call', () => { calls['hangar:listen'] = 1; return typeof calls['hangar:listen'] })
  attempt('a replaced call', () => { const before = calls['jobs.rows']; calls['jobs.rows'] = () => 1; return calls['jobs.rows'] === before })
  attempt('a replaced bridge', () => { const before = window.hangar; window.hangar = {}; return window.hangar === before })
  return tried
})()`
