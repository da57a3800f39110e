import { expect } from 'vitest'
import { servedChargers } from '../chargers/served-chargers.ts'
import { ChargePoint } from '../../src/shared/chargers/charger.ts'
import { exportJobs } from '../../src/shared/presentation/export-jobs.ts'
import { ATTACKS } from '../e2e/attacks.ts'
import { Strikes } from '../e2e/strikes.ts'
import { CHROMIUM, itWith } from '../needs.ts'
import { exportedJob } from '../page/make-view.ts'
import { cutOff } from './harness/cut-off.ts'
import { stateWith } from './harness/fake-bridge.ts'
import { windowForEachTest, type WithShell } from './harness/frame-page.ts'
import { ANSWERS, NOW, STATE } from './harness/long-words.ts'
import { lookEverywhere, OPENINGS, PLACES, settle } from './harness/openings.ts'
import { someChargers } from './places/chargers/charger-samples.ts'

/*
 * Every text that a service, a file, a folder, a charger, a computer of the team or an error fills is an attack, in every place and
 * in what opens in it. Nothing here relies on what the engine would have refused or shortened.
 */

/** Members of messages that others fill. */
const FILLED = new Set(
  `name dir path body altText seoFilename originalName original title before after source outputs renameTo raw nativeName browser
  system host server version address text key why airfield icao manufacturer softwareVersion connectors aircraftTypes
  paymentTypes type kw liveState liveStateSyncedAt from to missing dataDir`.split(/\s+/),
)

/** Each alone is in `ATTACKS`; together they are longer than any name, and the rest has no place to break or too many. */
const TEXT = [
  ...ATTACKS.filter((text) => text.length < 200),
  'W'.repeat(20_000),
  'line\n\r\u2028\t'.repeat(100),
  'half a letter \ud800 %s %n %1$s',
  '\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67'.repeat(100),
].join(' ')

/** Each with another part of the text, as long as a field of a charger may be, behind a character that turns it round. */
const CHARGERS = TEXT.match(/[^]{1,450}/gu)!
  .slice(0, 12)
  .map((piece, n) => {
    const one = { ...someChargers(NOW)[n % 5]!, id: n + 1, manufacturer: 'x', softwareVersion: 'x' }
    return ChargePoint.parse(filled({ ...one, aircraftTypes: ['x'], paymentTypes: ['x'] }, `\u202e${piece}`))
  })

/** The same message with `text` in whatever others fill. */
function filled<Value>(value: Value, text: string): Value {
  const fill = (one: unknown, of: string): unknown => {
    if (typeof one === 'string') return FILLED.has(of) ? text : one
    if (Array.isArray(one)) return one.map((each) => fill(each, of))
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([name, each]) => [name, fill(each, name)]))
  }
  return fill(value, '') as Value
}

const failedRow = {
  ...ANSWERS['jobs.rows'].rows[2]!,
  reason: { code: 'job_failed', detail: { raw: 'x' } },
}
const rows = ANSWERS['jobs.rows'].rows.map((row) => (row.id === failedRow.id ? failedRow : row))

const someAnswers: Record<string, unknown> = {
  ...ANSWERS,
  'jobs.rows': { rows },
  'jobs.detail': {
    ...ANSWERS['jobs.detail'],
    history: [{ atMs: 1, event: 'failed', state: 'failed', reason: failedRow.reason }],
    notes: ['credits_lost', 'nothing_to_convert', 'analyzed_only'].map((code) => ({ code, detail: 'name' })),
  },
  'team.status': {
    address: 'postgres://ledger',
    trouble: null,
    me: 'c1',
    name: 'computer',
    report: {
      computers: ['c1', 'c2'].map((id) => ({
        id,
        name: 'x',
        version: '1',
        seenMs: 10 ** 9,
        sentToday: 2,
        underWay: 1,
      })),
      calls: 1,
      pausedMs: 0,
      unknown: 0,
      sentToday: 2,
      sentThisMonth: 3,
    },
  },
  'jobs.quarantined': { rows: [{ atMs: NOW, source: 'x', key: 'x', why: 'x' }] },
}

const hostileState = filled(STATE, TEXT)
const hostileAnswers = {
  ...filled(someAnswers, TEXT),
  // Nobody reads the key of a group.
  'jobs.index': {
    sections: filled(ANSWERS['jobs.index'], TEXT).sections.map((section, n) => ({ ...section, key: `group ${n}` })),
  },
  // Not the folder that is watched already.
  'places.browse': filled(ANSWERS['places.browse'], `${TEXT}/in it`),
}

const NOTICES = [
  { id: 'n1', kind: 'favourite', title: 'x', body: 'x', address: '#/chargers' },
  { id: 'n3', kind: 'offer', places: [], missing: ['x', 'x'] },
]

const REFUSAL = { code: 'service_refused', sentence: { raw: TEXT } }

/** Each attack is a name and a text. */
const EXPORTED = ATTACKS.map((attack) => exportedJob({ name: attack, alt: attack }))

/** What an exported page is made of. */
const OUR_ELEMENTS = 'html, head, meta, title, style, body, section, h1, h2, h3, p, pre'

/** In the page: what turns text round although a person reads it and does not edit it. */
const TURNED = `(() => {
  const turns = (text) => /[\\u202a-\\u202e\\u2066-\\u2069]/.test(text)
  const nameOf = (element) => element.tagName.toLowerCase() + '.' + [...element.classList].join('.')
  const found = new Set(turns(document.title) ? ['the title of the window'] : [])
  for (const element of document.querySelectorAll('body *')) {
    for (const { name, value } of element.attributes)
      if (name !== 'value' && turns(value)) found.add(name + ' of ' + nameOf(element))
    const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
    if (!element.matches('textarea') && own.some((node) => turns(node.nodeValue))) found.add('words in ' + nameOf(element))
  }
  return [...found]
})()`

/** In the page: elements that none of Hangar's own drawing makes. */
const FOREIGN = `[...document.querySelectorAll('body :is(script, iframe, object, embed, base, meta, style:not([nonce]), math, [onerror], [onload], a[href^=javascript i])')]
  .map((one) => one.outerHTML.slice(0, 100))`

const world = windowForEachTest()

itWith(CHROMIUM)(
  'a hostile text in every field runs, loads and turns round nothing, and keeps to its place',
  async () => {
    const { page } = await world.show(hostileState, hostileAnswers)
    const ours = new URL(page.url()).origin
    const strikes = await Strikes.watch(page.context(), (address) => address.startsWith(ours))
    const body = await servedChargers(CHARGERS)
    await page.route('**/chargers.json*', (route) => route.fulfill({ contentType: 'application/json', body }))
    await page.emulateMedia({ reducedMotion: 'reduce' })
    // With what watches it.
    await page.reload()
    await page.getByRole('navigation').first().waitFor({ state: 'attached' })
    const found: string[] = []
    const shown: string[] = []
    const look = async (where: string) => {
      found.push(...(await page.evaluate<string[]>(TURNED)).map((what) => `${where}: ${what}`))
      found.push(...(await page.evaluate<string[]>(FOREIGN)).map((what) => `${where}: ${what}`))
      found.push(...(await cutOff(page)).map((what) => `${where}: ${what.slice(0, 120)}`))
    }
    await lookEverywhere(page, async (what) => {
      if (what in PLACES && (await page.locator('main').innerText()).includes(ATTACKS[0]!)) shown.push(what)
      await look(what)
    })
    for (const { id } of CHARGERS) {
      await settle(page)
      await page.evaluate(`location.hash = '#/chargers/${id}'`)
      await page.locator('.chargers-fold').last().waitFor({ state: 'attached' })
      for (const fold of await page.locator('.chargers-fold > summary').all()) await fold.click()
      await look(`charger ${id}`)
    }
    await settle(page)
    await page.evaluate((refusal) => {
      ;(globalThis as WithShell).shell.answers['intake.preview'] = { error: refusal }
    }, REFUSAL)
    await OPENINGS['intake']!.open(page)
    await page.locator('.intake-error').waitFor()
    await look('a refusal')
    await settle(page)
    for (const notice of NOTICES) {
      await world.shown.tell({}, [filled(notice, TEXT)])
      await look(`notice ${notice.id}`)
    }
    const settings = { ...stateWith().settings, ledgerUrl: 'postgres://ledger.example.org/hangar' }
    await world.shown.tell({ settings })
    await page.evaluate("location.hash = '#/settings/team'")
    await page.locator("[aria-label^='Remove:']").first().waitFor()
    await look('settings with a team')
    expect([...found, ...strikes.take(), ...world.shown.complaints.filter((one) => !one.includes('404'))]).toEqual([])
    expect(shown).toEqual(['jobs', 'jobs/j1', 'folders', 'chargers', 'settings'])

    const opened = async (content: string) => {
      const other = await page.context().newPage()
      await other.setContent(content)
      return other
    }
    const exported = await opened(exportJobs('html', EXPORTED))
    expect(await exported.locator('h2').count()).toBe(EXPORTED.length)
    expect(await exported.locator(`:not(${OUR_ELEMENTS})`).count()).toBe(0)
    const markup = await exported.locator('pre').allTextContents()
    const pasted = await opened(`<!doctype html><body>${markup.join('\n')}</body>`)
    await pasted.mouse.move(100, 100)
    const alts = await pasted.locator('img').evaluateAll((all: { alt: string }[]) => all.map(({ alt }) => alt))
    expect(alts).toHaveLength(markup.length)
    for (const attack of ATTACKS) expect(alts).toContain(attack.replaceAll(/\s+/g, ' ').trim())
    expect(await pasted.locator('body *:not(picture, source, img)').count()).toBe(0)
    expect(strikes.take()).toEqual([])

    await opened('<img src=x onerror=struck()><img src="http://attack.invalid/x">')
    const noticed = new Set<string>()
    const kinds = () => {
      for (const strike of strikes.take()) noticed.add(strike.split(' ')[0]!)
      return [...noticed]
    }
    await expect.poll(kinds).toEqual(expect.arrayContaining(['ran', 'asked']))
  },
)
