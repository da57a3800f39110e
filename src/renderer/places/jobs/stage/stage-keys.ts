import { SHORTCUTS } from '../../../../shared/presentation/shortcuts.ts'
import { isApple, matchesKeys, type Press } from '../../../parts/shortcut-keys.ts'

const KEYS = {
  ...SHORTCUTS.onStage,
  next: ['j', 'arrowright'],
  previous: ['k', 'arrowleft'],
  close: ['space'],
} as const

export type StageAct = keyof typeof KEYS | 'saveAndApprove' | 'leaveField'

const ACTS = Object.keys(KEYS) as (keyof typeof KEYS)[]

/**
 * What a key does on the stage. Null for a key without an action here, or one that the element handles itself. In a field, letters are
 * typed, Control and Enter save and approve, and Escape leaves the field.
 */
export function stageKey(press: Press, target: { matches: (selectors: string) => boolean }): StageAct | null {
  const { key } = press
  if (target.matches('textarea, select, input:not([type=checkbox])')) {
    if (key === 'Enter' && (press.ctrlKey || press.metaKey)) return target.matches('textarea') ? 'saveAndApprove' : null
    return key === 'Escape' && target.matches('textarea, .input') ? 'leaveField' : null
  }
  if (key === ' ' && target.matches('button, a, input')) return null
  return ACTS.find((act) => KEYS[act].some((keys) => matchesKeys(keys, press, isApple))) ?? null
}
