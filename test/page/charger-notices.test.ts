import { describe, expect, it } from 'vitest'
import { NO_CHARGERS, type ChargerChange, type ChargersState } from '../../src/shared/chargers/charger-status.ts'
import { DEFAULT_SETTINGS } from '../../src/shared/settings/settings.ts'
import { isWanted, worded } from '../../src/main/page/notice-text.ts'
import { NoticeBoard, type DecidedNotice } from '../../src/main/page/notices.ts'
import { createTexts } from '../../src/main/page/texts.ts'

const change = (id: number, changes: Partial<ChargerChange> = {}): ChargerChange => ({
  id,
  icao: 'EDNY',
  kind: 'free',
  ...changes,
})
const state = (changesAtMs: number | null, changes: ChargerChange[], favourites: number[]): ChargersState => ({
  status: { ...NO_CHARGERS, changes, changesAtMs },
  favourites,
})

describe('changes of chargers', () => {
  it('are told of those that a person marked, once, however often the state is told', () => {
    const board = new NoticeBoard()
    const now = state(5, [change(1), change(2), change(3)], [1, 3])
    board.chargers(now, true)
    expect(board.nextAtMs()).toBe(0)
    expect(board.take(0)).toMatchObject([{ kind: 'favourite', changes: [{ id: 1 }, { id: 3 }] }])
    board.chargers(now, true)
    board.chargers({ ...now, favourites: [1, 2, 3] }, true)
    expect(board.nextAtMs()).toBeNull()
    expect(board.take(1)).toEqual([])
    board.chargers(state(6, [change(2)], [2]), true)
    expect(board.take(2)).toMatchObject([{ kind: 'favourite', changes: [{ id: 2 }] }])
  })

  it('are told of the chargers of a saved route when they can no longer be used, whatever the favourites', () => {
    const board = new NoticeBoard()
    const changes = [
      change(1, { kind: 'broken' }),
      change(2, { kind: 'gone' }),
      change(3),
      change(4, { kind: 'broken' }),
    ]
    const routes = [
      { id: 'r1', name: 'To Rome', chargers: [1, 2, 3] },
      { id: 'r2', name: 'Home', chargers: [2] },
      { id: 'r3', name: 'Away', chargers: [3, 5] },
    ]
    board.chargers(state(5, changes, [1]), false, routes)
    expect(board.take(0)).toMatchObject([
      {
        kind: 'favourite',
        changes: [{ id: 1 }, { id: 2 }],
        routes: [
          { id: 'r1', name: 'To Rome' },
          { id: 'r2', name: 'Home' },
        ],
      },
    ])
    expect(board.take(1)).toEqual([])
    board.chargers(state(6, [change(1, { kind: 'broken' })], [1]), true, routes.slice(1))
    expect(board.take(2)).toMatchObject([{ kind: 'favourite', changes: [{ id: 1 }], routes: [] }])
  })

  it('are said in few words of our own: of the service only what can be a code', () => {
    const texts = createTexts('en', 'en')
    const say = (...changes: ChargerChange[]) => worded({ id: 'x', kind: 'favourite', changes, routes: [] }, texts, [])
    expect(say(change(1))).toMatchObject({ title: 'One of your chargers changed', body: 'EDNY: free now' })
    const hostile = ['<b>EDNY</b>', 'edny; rm', 'x'.repeat(500), '$t(menu.quit)', '{{where}}', null]
    for (const icao of hostile)
      expect(say(change(1, { icao, kind: 'gone' })).body).toBe('A charger without a place: not listed any more')
    const kinds = (['free', 'busy', 'broken', 'new', 'gone'] as const).map((kind, id) => change(id, { kind }))
    expect(say(...kinds)).toMatchObject({
      title: '5 of your chargers changed',
      body: 'EDNY: free now · EDNY: in use now · EDNY: out of order · …',
    })
    const notice: DecidedNotice = { id: 'x', kind: 'favourite', changes: [], routes: [] }
    expect(isWanted(notice, { ...DEFAULT_SETTINGS.notifications, needsPerson: false, batchDone: false })).toBe(true)
  })
})

it('a notice about a saved route names it, without what a program could take for markup or a link', () => {
  const body = (language: 'en' | 'fr', ...names: string[]) => {
    const routes = names.map((name, n) => ({ id: `r${n}`, name }))
    const changes = [change(1, { kind: 'broken' })]
    return worded({ id: 'x', kind: 'favourite', changes, routes }, createTexts(language, language), []).body
  }
  expect(body('en', 'EDAZ Schönhagen → 47.485,10.6')).toBe(
    'EDNY: out of order (saved route: EDAZ Schönhagen → 47.485,10.6)',
  )
  expect(body('fr', 'Rome', 'l’Aller – retour')).toBe(
    'EDNY\u00a0: hors service (itinéraires enregistrés\u00a0: Rome et l’Aller – retour)',
  )
  expect(body('en', '<a href="https://evil.example">Go</a>')).toBe(
    'EDNY: out of order (saved route: a href https evil example Go a)',
  )
  expect(body('en', '$t(menu.quit) {{where}}\u202E')).toBe('EDNY: out of order (saved route: t menu quit where)')
  expect(body('en', '<>&')).toBe('EDNY: out of order')
})
