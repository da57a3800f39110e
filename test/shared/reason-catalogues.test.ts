import { describe, expect, it } from 'vitest'
import { FolderState } from '../../src/shared/contract.ts'
import { JobState, NextStep, NoteCode, ReasonCode } from '../../src/shared/reasons.ts'
import { reasons as german } from '../../src/shared/text/de/reasons.ts'
import { reasons as english } from '../../src/shared/text/en/reasons.ts'
import { noteSentence, reasonSentences, stepExplains } from '../../src/shared/text/reason-sentences.ts'
import type { JobEvent } from '../../src/main/core/transition.ts'

type HistoryEvent = JobEvent['type'] | 'found'
type Unknown = Exclude<keyof typeof english.event, HistoryEvent>

/** With an event that has no words, or words for no event, this does not compile. */
const EVENTS: Record<HistoryEvent, string> = english.event
const NO_OTHERS: [Unknown] extends [never] ? true : false = true

/** Every text with where it stands: `reason.cut_off.short`. */
function textsOf(value: object, place = ''): [place: string, text: string][] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const at = place === '' ? name : `${place}.${name}`
    return typeof inner === 'string' ? [[at, inner] as [string, string]] : textsOf(inner as object, at)
  })
}

const placeholders = (text: string): string[] => (text.match(/\{\{\w+\}\}/g) ?? []).sort()

describe.each([
  ['English', english],
  ['German', german],
])('the %s words', (_language, texts) => {
  it('cover every reason, note, next step, state, event and folder state, and nothing else', () => {
    expect(Object.keys(texts.reason).sort()).toEqual([...ReasonCode.options].sort())
    expect(Object.keys(texts.note).sort()).toEqual([...NoteCode.options].sort())
    expect(Object.keys(texts.step).sort()).toEqual([...NextStep.options].sort())
    expect(Object.keys(texts.state).sort()).toEqual([...JobState.options].sort())
    expect(Object.keys(texts.phase).sort()).toEqual([...FolderState.options].sort())
    expect(Object.keys(texts.event).sort()).toEqual(Object.keys(EVENTS).sort())
    expect(NO_OTHERS).toBe(true)
  })

  it('are there, except where there is nothing to do', () => {
    for (const [place, text] of textsOf(texts)) if (!place.endsWith('.todo')) expect(text, place).not.toBe('')
  })

  it('are sentences where they explain and none where they label, and never shout', () => {
    for (const [place, text] of textsOf(texts)) {
      expect(text, place).not.toMatch(/!|\s{2}|^\s|\s$/)
      if (/\.(happened|means|explains)$|^note|\.todo$/.test(place) && text !== '') expect(text, place).toMatch(/\.$/)
      if (/\.(short|label)$|^(state|event|phase)\./.test(place)) expect(text, place).toMatch(/^\p{Lu}.*[^.]$/u)
    }
  })

  it('name no command and no flag, as they are read in a window; but for the one way to sign in again', () => {
    for (const [place, text] of textsOf(texts).filter(([place]) => place !== 'own.signed_out'))
      expect(text, place).not.toMatch(/(^|\s)--\w|hangar [a-z]|HANGAR_/)
  })

  it('name no charge that may come, or came, where a picture was at the practice service', () => {
    const charged =
      /may (be|have been) charged|charged twice|It was charged|credits are spent|möglicherweise|Es wurde berechnet|ausgegeben/
    for (const code of ReasonCode.options) {
      const { means, todo } = reasonSentences(texts, { code, detail: null }, 'en', true)
      expect(`${means} ${todo}`, code).not.toMatch(charged)
    }
    for (const step of NextStep.options) expect(stepExplains(texts, step, true), step).not.toMatch(charged)
    expect(reasonSentences(texts, { code: 'job_failed', detail: null }, 'en').means).toMatch(charged)
    expect(stepExplains(texts, 'retry', false)).toMatch(charged)
  })

  it('quote only labels that a button has', () => {
    const labels = Object.values(texts.step).map(({ label }) => label)
    for (const { todo } of [...Object.values(texts.reason), ...Object.values(texts.atPractice)])
      for (const [, quoted] of todo.matchAll(/[“„]([^”“]+)[”“]/g)) expect(labels).toContain(quoted)
  })

  it('put what the service said, and a detail that looks like a pattern, in as it is', () => {
    expect(reasonSentences(texts, { code: 'server_error', detail: "500: $& {{detail}} $'" }, 'en').said).toContain(
      "500: $& {{detail}} $'",
    )
    expect(reasonSentences(texts, { code: 'too_large', detail: 'an animation' }, 'en').said).toBe('An animation.')
    expect(noteSentence(texts, { code: 'sent_downscaled', detail: '4 × 3 → 2 × 2' })).toContain('4 × 3 → 2 × 2')
    expect(noteSentence(texts, { code: 'analyzed_only', detail: 'gif' })).toMatch(/^GIF /)
    expect(noteSentence(texts, { code: 'animation_kept', detail: 'unasked' })).not.toContain('unasked')
  })

  it('leave no placeholder open, with a detail or without', () => {
    for (const code of NoteCode.options)
      for (const detail of [null, 'gif', 'animation'])
        expect(noteSentence(texts, { code, detail }), code).not.toMatch(/\{\{/)
  })
})

describe('the two languages', () => {
  it('have the same placeholders at the same places', () => {
    const others = new Map(textsOf(german))
    for (const [place, text] of textsOf(english))
      expect(placeholders(others.get(place) ?? ''), place).toEqual(placeholders(text))
  })

  it('agree on where there is something to do', () => {
    for (const code of ReasonCode.options)
      expect(german.reason[code].todo === '', code).toBe(english.reason[code].todo === '')
  })

  it('say nothing in the same words', () => {
    const others = new Map(textsOf(german))
    const same = textsOf(english).filter(([place, text]) => text !== '' && others.get(place) === text)
    expect(same).toEqual([])
  })
})
