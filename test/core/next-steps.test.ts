import { describe, expect, it } from 'vitest'
import { canChangeRecipe, nextSteps } from '../../src/main/core/next-steps.ts'
import type { FailReason } from '../../src/shared/sentences/reasons.ts'
import { makeJob } from '../queue/make-job.ts'

const failed = (code: FailReason, changes: Parameters<typeof makeJob>[0] = {}) =>
  nextSteps(makeJob({ state: 'failed', reason: { code, detail: null }, ...changes }))
const WATCHED = { image: null, folderId: 'F' }

describe('the next steps of a failed picture', () => {
  it.each([
    ['not_an_image other_type unsupported cut_off damaged too_many_pixels', ['show_file', 'drop']],
    // The recipe may be another by now.
    ['too_large wrong_type', ['show_file', 'drop', 'retry']],
    // Which may pass.
    ['unreadable rejected_by_service copy_failed', ['retry', 'drop']],
  ])('after each of %s are %j in a watched folder', (codes, steps) => {
    for (const code of codes.split(' ') as FailReason[]) expect(failed(code, WATCHED), code).toEqual(steps)
  })

  it('have no retry for what was never taken in and lies in no watched folder', () => {
    expect(failed('unreadable', { image: null })).toEqual(['drop'])
    expect(failed('damaged', { image: null })).toEqual(['show_file', 'drop'])
  })
})

describe('another recipe', () => {
  const canChange = (changes: Parameters<typeof makeJob>[0]) => canChangeRecipe(makeJob(changes))

  it('is offered for what ended, and for what is held before it was sent', () => {
    for (const state of ['done', 'skipped', 'cancelled'] as const) expect(canChange({ state }), state).toBe(true)
    expect(canChange({ state: 'held', resume: 'ready' })).toBe(true)
    expect(canChange({ state: 'failed', reason: { code: 'rejected_by_service', detail: null } })).toBe(true)
    expect(canChange({ state: 'failed', image: null, reason: { code: 'too_large', detail: null } })).toBe(true)
  })

  it('is not offered where it could be a second charge, nor for a file that no recipe can process', () => {
    for (const state of ['ready', 'sending', 'waiting', 'fetching', 'writing', 'unknown'] as const)
      expect(canChange({ state }), state).toBe(false)
    for (const resume of ['waiting', 'fetching', 'writing'] as const)
      expect(canChange({ state: 'held', resume }), resume).toBe(false)
    expect(canChange({ state: 'failed', reason: { code: 'cut_off', detail: null } })).toBe(false)
  })
})
