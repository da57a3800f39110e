import { expect, it } from 'vitest'
import { stageKey } from '../../../../src/renderer/places/jobs/stage/stage-keys.ts'

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const on = (kind: 'page' | 'textarea' | 'input' | 'checkbox') => ({
  matches: (selector: string) =>
    selector.split(', ').some((one) => one === kind || (one.startsWith('input:not') && kind === 'input')),
})

it('acts by single letters and arrows', () => {
  const page = on('page')
  expect(['j', 'ArrowRight', 'k', 'e', 'c', 'D', 'A'].map((key) => stageKey({ key, ...none }, page))).toEqual([
    'next',
    'next',
    'previous',
    'edit',
    'copy',
    'decorative',
    'approve',
  ])
  expect(stageKey({ key: 'c', ...none, ctrlKey: true }, page)).toBeNull()
  expect(stageKey({ key: 'x', ...none }, page)).toBeNull()
  expect(stageKey({ key: 'a', ...none }, on('checkbox'))).toBe('approve')
})

it('leaves letters to a field, which is left with Escape and saved with Control and Enter', () => {
  for (const key of ['a', 'j', 'ArrowLeft', 'Enter']) expect(stageKey({ key, ...none }, on('textarea'))).toBeNull()
  expect(stageKey({ key: 'Escape', ...none }, on('textarea'))).toBe('leaveField')
  expect(stageKey({ key: 'Enter', ...none, ctrlKey: true }, on('textarea'))).toBe('saveAndApprove')
  expect(stageKey({ key: 'Enter', ...none, metaKey: true }, on('input'))).toBeNull()
})
