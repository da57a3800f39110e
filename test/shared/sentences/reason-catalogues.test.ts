import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { JobState, NextStep, NoteCode, ReasonCode } from '../../../src/shared/sentences/reasons.ts'
import reasons from '../../../src/shared/text/en/reasons.json' with { type: 'json' }
import sentences from '../../../src/shared/text/en/sentences.json' with { type: 'json' }
import { LANGUAGES } from '../../../src/shared/text/languages.ts'
import { noteSentence, reasonSentences, stepExplains } from '../../../src/shared/sentences/reason-sentences.ts'
import type { ReasonTexts } from '../../../src/shared/sentences/reason-sentences.ts'
import type { JobEvent } from '../../../src/main/core/transition.ts'
import { TEXT_DIR, textsIn as textsOf } from '../text/catalogues.ts'

const english: ReasonTexts = { ...reasons, own: sentences }
const catalogue = (language: string, name: string): unknown =>
  JSON.parse(readFileSync(join(TEXT_DIR, language, `${name}.json`), 'utf8'))
const ALL = LANGUAGES.map((language) => {
  const texts = { ...(catalogue(language, 'reasons') as object), own: catalogue(language, 'sentences') }
  return [language, texts as ReasonTexts] as const
})

type HistoryEvent = JobEvent['type'] | 'found'
type Unknown = Exclude<keyof typeof english.event, HistoryEvent>

/** With an event that has no words, or words for no event, this does not compile. */
const EVENTS: Record<HistoryEvent, string> = english.event
const NO_OTHERS: [Unknown] extends [never] ? true : false = true

/** How a charge is spoken of, where it is checked by its words. */
const CHARGED: Record<string, RegExp> = {
  en: /may (be|have been) charged|charged twice|It was charged|credits are spent/,
  de: /möglicherweise|Es wurde abgebucht|ausgegeben/,
}

describe.each(ALL)('the words in %s', (language, texts) => {
  it('cover every reason, note, next step, state and event, and nothing else', () => {
    expect(Object.keys(texts.reason).sort()).toEqual([...ReasonCode.options].sort())
    expect(Object.keys(texts.note).sort()).toEqual([...NoteCode.options].sort())
    expect(Object.keys(texts.step).sort()).toEqual([...NextStep.options].sort())
    expect(Object.keys(texts.state).sort()).toEqual([...JobState.options].sort())
    expect(Object.keys(texts.event).sort()).toEqual(Object.keys(EVENTS).sort())
    expect(NO_OTHERS).toBe(true)
  })

  it('are there, except where there is nothing to do', () => {
    for (const [place, text] of textsOf(texts))
      if (place !== 'atPractice.todo.after_sending') expect(text, place).not.toBe('')
  })

  it('are sentences where they explain and none where they label, and never shout', () => {
    for (const [place, text] of textsOf(texts)) {
      expect(text, place).not.toMatch(/!|\s{2}|^\s|\s$/)
      if (/\.(happened|means|explains)$|^note|\.todo$/.test(place) && text !== '') expect(text, place).toMatch(/\.$/)
      if (/\.(short|label)$|^(state|event)\./.test(place)) expect(text, place).toMatch(/^\p{Lu}.*[^.]$/u)
    }
  })

  it('name no command and no flag, as they are read in a window; but for the way to sign in again, and at a start or on the command line', () => {
    const elsewhere =
      /^own\.(signed_out$|keychain_failed$|too_few_files$|journal_(too_new|unreleased|foreign|unusable)$|data_folder_|ports?_taken$)/
    for (const [place, text] of textsOf(texts).filter(([place]) => !elsewhere.test(place)))
      expect(text, place).not.toMatch(/(^|\s)--\w|hangar [a-z]|HANGAR_/)
  })

  it('name no charge that may come, or came, where a picture was at the practice service', () => {
    const charged = CHARGED[language] ?? /^$/
    const atPractice = (code: ReasonCode, isPractice: boolean, from = texts) => {
      const { means, todo } = reasonSentences(from, { code, detail: null }, language, isPractice)
      return { means, todo }
    }
    for (const code of ReasonCode.options) {
      const { means, todo } = atPractice(code, true)
      expect(`${means} ${todo}`, code).not.toMatch(charged)
      // Where English has other words for practice, so has every language.
      const [usual, practice] = [atPractice(code, false), atPractice(code, true)]
      for (const part of ['means', 'todo'] as const)
        if (atPractice(code, false, english)[part] !== atPractice(code, true, english)[part])
          expect(practice[part], `${code}.${part}`).not.toBe(usual[part])
    }
    for (const step of NextStep.options) expect(stepExplains(texts, step, true), step).not.toMatch(charged)
    if (language in CHARGED) {
      expect(atPractice('job_failed', false).means).toMatch(charged)
      expect(stepExplains(texts, 'retry', false)).toMatch(charged)
    }
  })

  it('quote only labels that a button has', () => {
    const labels = Object.values(texts.step).map(({ label }) => label)
    const todos = [...Object.values(texts.reason).map(({ todo = '' }) => todo), ...Object.values(texts.atPractice.todo)]
    for (const todo of todos)
      for (const [, quoted] of todo.matchAll(/[“„«]([^”“»]+)[”“»]/g)) expect(labels).toContain(quoted!.trim())
  })

  it('put what the service said, and a detail that looks like a pattern, in as it is', () => {
    const odd = "500: $& {{detail}} $'"
    expect(reasonSentences(texts, { code: 'unclear_answer', detail: { raw: odd } }, 'en').said).toContain(odd)
    const said = reasonSentences(texts, { code: 'too_large', detail: { raw: 'an animation' } }, language).said
    expect(said).toBe('An animation.')
    const note = (code: NoteCode, detail: string) => noteSentence(texts, { code, detail }, language)
    expect(note('sent_downscaled', '4 × 3 → 2 × 2')).toContain('4 × 3 → 2 × 2')
    expect(note('analyzed_only', 'gif')).toMatch(/\bGIF\b/)
    expect(note('animation_kept', 'unasked')).not.toContain('unasked')
  })

  it('list what was lost as the language does', () => {
    const lost = noteSentence(texts, { code: 'credits_lost', detail: 'creator,source,owner' }, language)
    const { creator, source, owner } = texts.credit
    const parts = [creator, source, owner]
    expect(lost).toContain(new Intl.ListFormat(language, { type: 'unit' }).format(parts))
    if (language === 'de') expect(lost).toContain(`${source} und ${owner}`)
    const widths = noteSentence(texts, { code: 'widths_not_kept', detail: '320, 640, 960' }, language)
    expect(widths).toContain(new Intl.ListFormat(language, { type: 'unit' }).format(['320', '640', '960']))
  })

  it('are in no other language than their own', () => {
    const own = new Map(textsOf(english))
    const same = textsOf(texts).filter(([place, text]) => text !== '' && own.get(place) === text)
    if (language !== 'en') expect(same).toEqual([])
  })

  it('leave no placeholder open, with a detail or without', () => {
    for (const code of NoteCode.options)
      for (const detail of [null, 'gif', 'animation'])
        expect(noteSentence(texts, { code, detail }, language), code).not.toMatch(/\{\{/)
  })
})
